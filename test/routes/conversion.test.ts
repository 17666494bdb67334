import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../db/events.ts";
import { idSuffix, newId } from "../../db/ids.ts";
import { makeKey } from "../../db/secrets.ts";
import type { offers } from "../../db/schema/demand.ts";
import { wrapped } from "../api.ts";
import { countsOf, DAY, expectExactCounts, idAt, makeHit } from "../events/hits.ts";
import { makeAdvertiser, makeOffer } from "../factories.ts";
import { startHarness, type Harness, type RequestInit } from "../harness.ts";

type Fields = Record<string, unknown>;

let h: Harness;
let advertiser: Awaited<ReturnType<typeof makeAdvertiser>>;

beforeAll(async () => {
  h = await startHarness();
  advertiser = await makeAdvertiser(h.db);
});
afterAll(() => h.close());

const read = async (path: string, init?: RequestInit) => {
  const response = await h.fetch(path, init);
  const text = await response.text();
  return [response.status, text === "" ? null : (JSON.parse(text) as unknown)] as const;
};
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const post = (fields: unknown, secret = advertiser.conversionSecret) =>
  read("/conversion", {
    method: "POST",
    headers: { ...bearer(secret), "content-type": "application/json" },
    body: typeof fields === "string" ? fields : JSON.stringify(fields),
  });
const received = (counted: boolean) => [200, { success: true, data: { counted }, message: "Conversion received" }];
const wrong = (field: string, message: string) => [
  400,
  wrapped("VALIDATION_FAILED", { invalidFields: [{ field, message }] }),
];

/** An offer that is paid for by conversion, with a counted click on it. */
const makeClick = async ({
  issuedAt = Date.now() - 1_000,
  occurredAt = Date.now(),
  owner = advertiser.id,
  ...columns
}: Partial<typeof offers.$inferInsert> & { issuedAt?: number; occurredAt?: number; owner?: string } = {}) => {
  const offer = await makeOffer(h.db, owner, {
    pricing: "CPA",
    bidMicros: 3_000_001,
    publisherShareBps: 6_667,
    ...columns,
  });
  const click = async () => {
    const hit = makeHit({ offerId: offer.id, decisionId: idAt("decision", issuedAt), occurredAt, country: "DE" });
    await recordHits(h.db, [{ ...hit, sessionHash: "a-session", emailHash: "an-email" }]);
    return `${idSuffix(hit.decisionId)}-${idSuffix(offer.id)}`;
  };
  return { offer, click, clickId: await click() };
};
const transaction = () => newId("event");
const storedOf = (offerId: string) =>
  h.rows(
    `select transaction_id, outcome, amount_micros::float8 as amount, currency, country, session_hash, email_hash,
       gross_micros::int as gross, revenue_micros::int as revenue
     from events where offer_id = $1 and kind = 'conversion' order by occurred_at, outcome`,
    [offerId],
  );

describe("a conversion", () => {
  type Way = (fields: Record<string, string>, secret: string) => Promise<readonly unknown[]>;
  const form = "application/x-www-form-urlencoded";
  const query = (fields: Record<string, string>) => `/conversion?${new URLSearchParams(fields).toString()}`;
  const json = { "content-type": "application/json; charset=utf-8" };
  const ways: [string, Way][] = [
    ["a URL with everything", (fields, secret) => read(query({ ...fields, secret }))],
    ["a URL and a bearer", (fields, secret) => read(query(fields), { headers: bearer(secret) })],
    ["JSON", (fields, secret) => post(fields, secret)],
    [
      "JSON with the secret",
      (fields, secret) =>
        read("/conversion", { method: "POST", headers: json, body: JSON.stringify({ ...fields, secret }) }),
    ],
    [
      "a form",
      (fields, secret) =>
        read("/conversion", {
          method: "POST",
          headers: { ...bearer(secret), "content-type": form },
          body: new URLSearchParams(fields).toString(),
        }),
    ],
    [
      "a form with the secret",
      (fields, secret) =>
        read("/conversion", {
          method: "POST",
          headers: { "content-type": form },
          body: new URLSearchParams({ ...fields, secret }).toString(),
        }),
    ],
    ["a POST of nothing to a URL", (fields, secret) => read(query({ ...fields, secret }), { method: "POST" })],
  ];

  it.each(ways)("comes as %s", async (_, send) => {
    const { offer, clickId } = await makeClick();
    const fields = { clickId, transactionId: transaction(), amount: "19.99", currency: "eur", extra: "ignored" };
    expect(await send(fields, advertiser.conversionSecret)).toEqual(received(true));
    expect(await storedOf(offer.id)).toEqual([
      {
        transaction_id: fields.transactionId,
        outcome: "counted",
        amount: 19_990_000,
        currency: "EUR",
        country: "DE",
        session_hash: "a-session",
        email_hash: "an-email",
        gross: 3_000_001,
        revenue: 2_000_100,
      },
    ]);
    expect(await countsOf(h, offer.id)).toMatchObject([
      { clicks: 1, conversions: 1, gross: 3_000_001, revenue: 2_000_100 },
    ]);
    expect(await send(fields, makeKey("conversion"))).toEqual([401, wrapped("UNAUTHORIZED")]);
  });

  it.each<[unknown, number | null]>([
    ["0", 0],
    [0, 0],
    [0.1, 100_000],
    [1_000_000, 1e12],
    ["1000000.00", 1e12],
    [19.999_999_9, 20_000_000],
    [1.1e-6, 1],
    [undefined, null],
    [null, null],
    ["", null],
    [" ", null],
  ])("of %j is %j millionths", async (amount, micros) => {
    const { offer, clickId } = await makeClick();
    expect(await post({ clickId, transactionId: transaction(), amount, currency: "USD" })).toEqual(received(true));
    expect(await storedOf(offer.id)).toMatchObject([{ amount: micros, currency: "USD" }]);
    const totals = "select conversions::int, transactions::int from daily_counters where offer_id = $1";
    expect(await h.rows(totals, [offer.id])).toEqual([{ conversions: 1, transactions: micros === null ? 0 : 1 }]);
  });

  it("counts once a transaction: repeated, at once and by other clicks", async () => {
    const { offer, clickId, click } = await makeClick();
    const other = await click();
    const transactionId = transaction();
    const first = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post({ clickId: i % 2 === 0 ? clickId : other, transactionId })),
    );
    expect(first.filter(([, body]) => JSON.stringify(body).includes('true,"data":{"counted":true'))).toHaveLength(1);
    expect(first.map(([status]) => status)).toEqual(first.map(() => 200));
    expect(await post({ clickId, transactionId, amount: 5, currency: "USD" })).toEqual(received(false));
    expect(await post({ clickId, transactionId: `${transactionId}2` })).toEqual(received(true));
    const paid = (await countsOf(h, offer.id)).map(({ conversions, gross }) => [conversions, gross]);
    expect(paid.toSorted()).toEqual([expect.anything(), expect.anything()]);
    await expectExactCounts(h);
  });

  it("of one transaction id counts once for each advertiser", async () => {
    const other = await makeAdvertiser(h.db);
    const mine = await makeClick();
    const theirs = await makeClick({ owner: other.id });
    const transactionId = transaction();
    expect(await post({ clickId: mine.clickId, transactionId })).toEqual(received(true));
    expect(await post({ clickId: theirs.clickId, transactionId }, other.conversionSecret)).toEqual(received(true));
  });

  it.each(["CPM", "CPC"] as const)("of an offer paid by %s is counted, and earns nothing", async (pricing) => {
    const { offer, clickId } = await makeClick({ pricing, bidMicros: 5_000 });
    expect(await post({ clickId, transactionId: transaction() })).toEqual(received(true));
    expect(await storedOf(offer.id)).toMatchObject([{ gross: 0, revenue: 0 }]);
  });

  it("is taken although its advertiser was paused or its offer archived", async () => {
    const paused = await makeAdvertiser(h.db, { status: "paused" });
    const { clickId } = await makeClick({ owner: paused.id, status: "archived" });
    expect(await post({ clickId, transactionId: transaction() }, paused.conversionSecret)).toEqual(received(true));
  });

  it("uses a cap, and the one that reaches it stops the offer", async () => {
    const { offer, clickId } = await makeClick({ lifetimeCap: 2 });
    const stopped = async () => {
      const text = await (await h.env()).DOCUMENTS.get("v1:offers");
      return (JSON.parse(text ?? "null") as { value: { stopped: Fields } } | null)?.value.stopped[offer.id];
    };
    await post({ clickId, transactionId: transaction() });
    expect(await stopped()).toBeUndefined();
    await post({ clickId, transactionId: transaction() });
    expect(await h.until(stopped, (until) => until !== undefined)).toBe(0);
    expect(await post({ clickId, transactionId: transaction() })).toEqual(received(true));
    await expectExactCounts(h);
  });

  it("is not counted by a HEAD request", async () => {
    const { offer, clickId } = await makeClick();
    const path = query({ clickId, transactionId: transaction(), secret: advertiser.conversionSecret });
    await h.fetch(path, { method: "HEAD" });
    expect(await storedOf(offer.id)).toEqual([]);
  });
});

describe("a click", () => {
  const unknown = (clickId: string) => [404, wrapped("NOT_FOUND", { clickId })];

  it("that nobody made is unknown, whenever it says it was made", async () => {
    const { offer } = await makeClick();
    const never = `${idSuffix(newId("decision"))}-${idSuffix(offer.id)}`;
    const last = `7${"z".repeat(25)}-7${"z".repeat(25)}`;
    const first = `${"0".repeat(26)}-${"0".repeat(26)}`;
    for (const clickId of [never, last, first]) {
      expect(await post({ clickId, transactionId: "t" })).toEqual(unknown(clickId));
    }
  });

  it.each(["bot", "expired", "test"] as const)("that did not count is unknown: %s", async (reason) => {
    const { offer } = await makeClick();
    const hit = makeHit({ offerId: offer.id, reason });
    await recordHits(h.db, [hit, makeHit({ offerId: offer.id, kind: "impression" })]);
    const clickId = `${idSuffix(hit.decisionId)}-${idSuffix(offer.id)}`;
    expect(await post({ clickId, transactionId: "t" })).toEqual(unknown(clickId));
  });

  it("of another advertiser's offer is forbidden", async () => {
    const other = await makeAdvertiser(h.db);
    const { offer, clickId } = await makeClick({ owner: other.id });
    expect(await post({ clickId, transactionId: "t" })).toEqual([403, wrapped("FORBIDDEN")]);
    expect(await storedOf(offer.id)).toEqual([]);
  });

  it("is good for 30 days", async () => {
    const at = Date.now() - 30 * DAY;
    const inTime = await makeClick({ issuedAt: at - 20 * DAY, occurredAt: at + 60_000 });
    expect(await post({ clickId: inTime.clickId, transactionId: transaction() })).toEqual(received(true));
    const late = await makeClick({ issuedAt: at - 1_000, occurredAt: at - 1 });
    expect(await post({ clickId: late.clickId, transactionId: "late" })).toEqual([410, wrapped("CLICK_EXPIRED")]);
    expect(await storedOf(late.offer.id)).toEqual([]);
  });
});

describe("what is sent", () => {
  const some = `${idSuffix(newId("decision"))}-${idSuffix(newId("offer"))}`;

  it.each<[string, Fields, string, string]>([
    ["no click id", { clickId: undefined }, "clickId", "is required"],
    ["a blank click id", { clickId: " " }, "clickId", "is required"],
    ["half a click id", { clickId: some.slice(0, 26) }, "clickId", "is not a click id"],
    ["an offer's id", { clickId: newId("offer") }, "clickId", "is not a click id"],
    ["a click id in capitals", { clickId: some.toUpperCase() }, "clickId", "is not a click id"],
    ["a list of click ids", { clickId: [some] }, "clickId", "must be a string"],
    ["no transaction", { transactionId: undefined }, "transactionId", "is required"],
    ["a long transaction", { transactionId: "x".repeat(256) }, "transactionId", "must have at most 255 characters"],
    ["NUL in it", { transactionId: "a\0" }, "transactionId", "must not contain NUL or unpaired surrogates"],
    ["a negative amount", { amount: -0.01 }, "amount", "must be between 0 and 1000000"],
    ["a huge amount", { amount: 1_000_000.01 }, "amount", "must be between 0 and 1000000"],
    ["infinity", { amount: "Infinity" }, "amount", "must be a number"],
    ["a word for an amount", { amount: "ten" }, "amount", "must be a number"],
    ["another base", { amount: "0x10" }, "amount", "must be a number"],
    ["another notation", { amount: "1,50" }, "amount", "must be a number"],
    ["a flag for an amount", { amount: true }, "amount", "must be a number"],
    ["a list for an amount", { amount: [] }, "amount", "must be a number"],
    ["an amount alone", { currency: undefined }, "currency", "is required with amount"],
    ["an unknown currency", { currency: "XXX" }, "currency", "must be a supported currency code"],
  ])("is refused with %s", async (_, given, field, message) => {
    const fields = { clickId: some, transactionId: "t", amount: 1, currency: "USD", ...given };
    expect(await post(fields)).toEqual(wrong(field, message));
  });

  it("may have numbers for texts in JSON", async () => {
    const { offer, clickId } = await makeClick();
    expect(await post({ clickId, transactionId: 1_000_042 })).toEqual(received(true));
    expect(await storedOf(offer.id)).toMatchObject([{ transaction_id: "1000042", amount: null, currency: null }]);
  });

  it("is refused when it is not what it says it is", async () => {
    for (const body of ["{", "", "nonsense"]) expect((await post(body))[0]).toBe(400);
    expect((await post("[]"))[0]).toBe(400);
    expect((await post("null"))[0]).toBe(400);
    const [status, body] = await post({ clickId: some, transactionId: "t", extra: "x".repeat(65 * 1024) });
    expect([status, body]).toMatchObject([413, { code: "PAYLOAD_TOO_LARGE" }]);
  });

  it.each([
    ["nothing", {}],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["garbage", { authorization: "Bearer garbage" }],
    ["a private key", { authorization: `Bearer ${makeKey("private")}` }],
  ])("needs a secret, before all else: %s", async (_, headers) => {
    const before = h.endpoint.requests;
    expect(await read("/conversion", { headers })).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect(h.endpoint.requests).toBe(before);
  });

  it("needs the secret of now", async () => {
    const { clickId } = await makeClick();
    expect(await post({ clickId, transactionId: "t" }, makeKey("conversion"))).toEqual([401, wrapped("UNAUTHORIZED")]);
  });
});
