import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { idSuffix, newId } from "../../../../db/core/ids.ts";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import type { offers } from "../../../../db/schema/demand.ts";
import { wrapped } from "../../../support/api.ts";
import { countsOf, DAY, expectExactCounts, hitsOf, idAt, makeHit } from "../../../support/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import type { RequestInit } from "../../../support/worker-fetch.ts";
import { isWithheld } from "../../../support/documents/stored.ts";

let h: Harness;
let advertiser: Awaited<ReturnType<typeof makeAdvertiser>>;
let placementId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiser = await makeAdvertiser(h.db);
  placementId = (await makeInventory(h.db)).placement.id;
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
const received = (counted: boolean, state = "counted") => [
  200,
  { success: true, data: { counted, state }, message: "Conversion received" },
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
    await recordHits(h.db, [{ ...hit, placementId, sessionHash: "a-session", emailHash: "an-email" }]);
    return `${idSuffix(hit.decisionId)}-${idSuffix(offer.id)}`;
  };
  return { offer, click, clickId: await click() };
};
const transaction = () => newId("event");
const storedOf = (offerId: string) =>
  h.rows<{ outcome: string; gross: number }>(
    `select transaction_id, outcome, amount_micros::float8 as amount, currency, country, session_hash, email_hash,
       gross_micros::int as gross, revenue_micros::float8 as revenue
     from events where offer_id = $1 and kind = 'conversion' order by occurred_at, outcome`,
    [offerId],
  );

const query = (fields: Record<string, string>) => `/conversion?${new URLSearchParams(fields).toString()}`;

describe("a conversion", () => {
  type Way = (fields: Record<string, string>, secret: string) => Promise<readonly unknown[]>;
  const form = "application/x-www-form-urlencoded";
  const ways: [string, Way][] = [
    [
      "a URL and a bearer",
      (fields, secret) => read(query({ ...fields, extra: "ignored" }), { headers: bearer(secret) }),
    ],
    ["JSON", (fields, secret) => post(fields, secret)],
    [
      "a form",
      (fields, secret) =>
        read("/conversion", {
          method: "POST",
          headers: { ...bearer(secret), "content-type": form },
          body: `&${new URLSearchParams(fields).toString()}&`,
        }),
    ],
    [
      "a POST of nothing to a URL",
      (fields, secret) => read(query(fields), { method: "POST", headers: bearer(secret) }),
    ],
  ];

  it.each(ways)("comes as %s", async (_, send) => {
    const { offer, clickId } = await makeClick();
    const fields = { clickId, transactionId: transaction(), amount: "19.99", currency: "eur" };
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
        revenue: 2_000_100.6667,
      },
    ]);
    expect(await countsOf(h, offer.id)).toMatchObject([
      { clicks: 1, conversions: 1, gross: 3_000_001, revenue: 2_000_100.6667 },
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

  it("counts once a transaction, however often it is reported at once", async () => {
    const { offer, clickId } = await makeClick();
    const transactionId = transaction();
    const first = await Promise.all(Array.from({ length: 20 }, () => post({ clickId, transactionId })));
    const answers = first.map((answer) => JSON.stringify(answer));
    const [yes, no] = [true, false].map((counted) => JSON.stringify(received(counted)));
    expect(answers.toSorted()).toEqual([...answers.slice(1).map(() => no), yes]);
    expect(await post({ clickId, transactionId: `${transactionId}2` })).toEqual(received(true));
    expect(await storedOf(offer.id)).toMatchObject([1, 2].map(() => ({ outcome: "counted", gross: 3_000_001 })));
    expect(await hitsOf(h, offer.id)).toEqual(["click counted 1", "conversion counted 2", "conversion duplicate 19"]);
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
    await post({ clickId, transactionId: transaction() });
    expect(await isWithheld(h, offer.id)).toBe(false);
    await post({ clickId, transactionId: transaction() });
    await h.until(() => isWithheld(h, offer.id), Boolean);
    expect(await post({ clickId, transactionId: transaction() })).toEqual(received(false, "over_cap"));
    expect((await storedOf(offer.id)).map(({ outcome, gross }) => `${outcome} ${gross}`)).toEqual([
      "counted 3000001",
      "counted 3000001",
      "over_cap 0",
    ]);
    await expectExactCounts(h);
  });

  it("is not counted by a page that a browser fetches ahead, and then by the page that is seen", async () => {
    const { offer, clickId } = await makeClick();
    const path = query({ clickId, transactionId: transaction() });
    const pixel = { ...bearer(advertiser.conversionSecret), accept: "image/avif,*/*" };
    for (const ahead of ["prefetch", "prefetch;prerender"]) {
      const response = await h.fetch(path, { headers: { ...pixel, "sec-purpose": ahead } });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/gif"]);
    }
    expect(await storedOf(offer.id)).toEqual([]);
    expect((await h.fetch(path, { headers: pixel })).status).toBe(200);
    expect(await storedOf(offer.id)).toMatchObject([{ outcome: "counted" }]);
  });

  it("is not counted by a HEAD request", async () => {
    const { offer, clickId } = await makeClick();
    const path = query({ clickId, transactionId: transaction() });
    await h.fetch(path, { method: "HEAD", headers: bearer(advertiser.conversionSecret) });
    expect(await storedOf(offer.id)).toEqual([]);
  });
});

const unknown = (clickId: string) => [404, wrapped("NOT_FOUND", { clickId })];

describe("a click", () => {
  it("that cannot be is unknown: of no offer, of a time to come, or too old to be on its way", async () => {
    const { offer } = await makeClick();
    const idOf = (issuedAt: number) => `${idSuffix(idAt("decision", issuedAt))}-${idSuffix(offer.id)}`;
    const noOffer = `${idSuffix(newId("decision"))}-${idSuffix(newId("offer"))}`;
    const last = `7${"z".repeat(25)}-7${"z".repeat(25)}`;
    const first = `${"0".repeat(26)}-${"0".repeat(26)}`;
    for (const clickId of [noOffer, last, first, idOf(Date.now() + 120_000), idOf(Date.now() - 38 * DAY)]) {
      expect(await post({ clickId, transactionId: "t" })).toEqual(unknown(clickId));
    }
    expect(await h.rows("select * from pending_conversions where transaction_id = 't'")).toEqual([]);
  });

  it.each(["repeated", "over_cap"] as const)("that was not paid for has conversions: %s", async (outcome) => {
    const { offer, clickId } = await makeClick();
    await h.rows("update events set outcome = $1 where offer_id = $2", [outcome, offer.id]);
    await h.rows("update daily_hits set outcome = $1 where offer_id = $2", [outcome, offer.id]);
    await h.rows("delete from daily_counters where offer_id = $1", [offer.id]);
    expect(await post({ clickId, transactionId: transaction() })).toEqual(received(true));
    expect(await storedOf(offer.id)).toMatchObject([{ outcome: "counted", gross: 3_000_001 }]);
    await expectExactCounts(h);
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
