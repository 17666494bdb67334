import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { idSuffix, newId } from "../../../../db/core/ids.ts";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { flat, wrapped } from "../../../support/api.ts";
import { makeHit } from "../../../support/tracking/hits.ts";
import { makeAdvertiser, makeOffer } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import type { RequestInit } from "../../../support/worker-fetch.ts";

let h: Harness;
let advertiser: Awaited<ReturnType<typeof makeAdvertiser>>;

beforeAll(async () => {
  h = await startHarness();
  advertiser = await makeAdvertiser(h.db);
});
afterAll(() => h.close());

const read = async (path: string, init?: RequestInit) => {
  const response = await h.fetch(path, init);
  return [response.status, await response.json()] as const;
};
const post = (fields: unknown, secret = advertiser.conversionSecret, type = "application/json") =>
  read("/conversion", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": type },
    body: typeof fields === "string" ? fields : JSON.stringify(fields),
  });
const wrong = (field: string, message: string) => [
  400,
  wrapped("VALIDATION_FAILED", { invalidFields: [{ field, message }] }),
];
const makeClick = async () => {
  const { id: offerId } = await makeOffer(h.db, advertiser.id);
  const hit = makeHit({ offerId });
  await recordHits(h.db, [hit]);
  return { offerId, clickId: `${idSuffix(hit.decisionId)}-${idSuffix(offerId)}` };
};

describe("what is sent", () => {
  const some = `${idSuffix(newId("decision"))}-${idSuffix(newId("offer"))}`;

  it.each<[string, Record<string, unknown>, string, string]>([
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
    ["a currency of other letters", { currency: "uſd" }, "currency", "must be a supported currency code"],
    ["an unknown currency", { currency: "XXX" }, "currency", "must be a supported currency code"],
  ])("is refused with %s", async (_, given, field, message) => {
    const fields = { clickId: some, transactionId: "t", amount: 1, currency: "USD", ...given };
    expect(await post(fields)).toEqual(wrong(field, message));
  });

  it("has no member that is not known, in JSON or in a form, and says all that is wrong", async () => {
    const fields = { clickId: some, transactionId: "t", ammount: 5, "__proto__ ": "x" };
    const invalidFields = ["ammount", "__proto__ "].map((field) => ({ field, message: "is not known" }));
    const refused = [400, wrapped("VALIDATION_FAILED", { invalidFields })];
    expect(await post(fields)).toEqual(refused);
    const form = new URLSearchParams({ ...fields, ammount: "5" }).toString();
    expect(await post(form, undefined, "application/x-www-form-urlencoded")).toEqual(refused);
    const both = [
      { field: "transactionId", message: "is required" },
      { field: "test_mode", message: "is not known" },
    ];
    expect(await post({ clickId: some, test_mode: true })).toEqual([
      400,
      wrapped("VALIDATION_FAILED", { invalidFields: both }),
    ]);
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, "content-type": "application/json" };
    const body = JSON.stringify({ transactionId: "t", reasons: "x" });
    expect(await read("/conversion/reversal", { method: "POST", headers, body })).toEqual(
      wrong("reasons", "is not known"),
    );
  });

  it("may come with parameters of others", async () => {
    const { clickId } = await makeClick();
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}` };
    const pixel = `/conversion?clickId=${clickId}&transactionId=1&fbclid=x&cb=123&__proto__=1`;
    expect((await read(pixel, { headers }))[0]).toBe(200);
    const body = JSON.stringify({ clickId, transactionId: "2" });
    const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
    expect((await read("/conversion?fbclid=x", init))[0]).toBe(200);
  });

  it.each(["Application/JSON", "application/JSON; charset=utf-8", "application/vnd.shop+json"])(
    "is JSON by the media type %s",
    async (type) => {
      const { clickId } = await makeClick();
      expect((await post({ clickId, transactionId: type }, undefined, type))[0]).toBe(200);
    },
  );

  it("may have numbers for texts in JSON", async () => {
    const { offerId, clickId } = await makeClick();
    expect((await post({ clickId, transactionId: 1_000_042 }))[0]).toBe(200);
    const stored = "select transaction_id, currency from events where offer_id = $1 and kind = 'conversion'";
    expect(await h.rows(stored, [offerId])).toEqual([{ transaction_id: "1000042", currency: null }]);
  });

  it.each([["12345678901234567890"], ["-9007199254740993"], ["1.50"], ["1e400"], ["0"]])(
    "may have the number %s for a text, and keeps it digit by digit",
    async (digits) => {
      const { offerId, clickId } = await makeClick();
      const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, "content-type": "application/json" };
      const send = (path: string, body: string) => read(path, { method: "POST", headers, body });
      const report = `{ "clickId": "${clickId}", "transactionId": ${digits}, "amount": 1.50, "currency": "USD" }`;
      expect(await send("/conversion", report)).toMatchObject([200, { data: { counted: true } }]);
      const stored =
        "select transaction_id as id, amount_micros::int from events where offer_id = $1 and kind = 'conversion'";
      expect(await h.rows(stored, [offerId])).toEqual([{ id: digits, amount_micros: 1_500_000 }]);
      const reversal = await send("/conversion/reversal", `{"transactionId":${digits}}`);
      expect(reversal).toMatchObject([200, { data: { transactionId: digits, state: "reversed" } }]);
    },
  );

  it.each([["true"], ["[1]"], ['{"id":1}']])("is refused with %s for a text", async (value) => {
    const { offerId, clickId } = await makeClick();
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, "content-type": "application/json" };
    const told = { field: "transactionId", message: "must be a string" };
    const body = `{"clickId":"${clickId}","transactionId":${value}}`;
    expect(await read("/conversion", { method: "POST", headers, body })).toEqual([
      400,
      wrapped("VALIDATION_FAILED", { invalidFields: [told] }),
    ]);
    expect(await h.count("events where offer_id = $1 and kind = 'conversion'", [offerId])).toBe(0);
  });

  it("is refused where dryRun asks for a try, which test does here", async () => {
    const { offerId, clickId } = await makeClick();
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, "content-type": "application/json" };
    const body = JSON.stringify({ clickId, transactionId: "dry" });
    const refusal = wrapped("VALIDATION_FAILED", { invalidFields: [{ field: "dryRun", message: "is not known" }] });
    for (const flag of ["dryRun=true", "dryRun=false", "dryRun=", "dryRun"]) {
      const init = { method: "POST", headers, body };
      expect(await read(`/conversion?${flag}`, init)).toEqual([400, refusal]);
    }
    expect(await h.count("events where offer_id = $1 and kind = 'conversion'", [offerId])).toBe(0);
  });

  it.each(["?test", "?test=", "?test=%20"])("is not taken for a real one with the empty flag %s", async (query) => {
    const { offerId, clickId } = await makeClick();
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, "content-type": "application/json" };
    const body = JSON.stringify({ clickId, transactionId: "unsure" });
    const refusal = wrapped("VALIDATION_FAILED", {
      invalidFields: [{ field: "test", message: "must be true or false" }],
    });
    expect(await read(`/conversion${query}`, { method: "POST", headers, body })).toEqual([400, refusal]);
    expect(await h.count("events where offer_id = $1 and kind = 'conversion'", [offerId])).toBe(0);
  });

  it.each([["text/plain"], ["application/xml"], ["application/octet-stream"], [null]])(
    "is neither JSON nor a form by the media type %s",
    async (type) => {
      const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, ...(type && { "content-type": type }) };
      for (const path of ["/conversion", "/conversion/reversal"]) {
        const body = new TextEncoder().encode(JSON.stringify({ clickId: some, transactionId: "t" }));
        expect(await read(path, { method: "POST", headers, body })).toEqual([415, flat("UNSUPPORTED_MEDIA_TYPE")]);
      }
    },
  );

  it("says of JSON that is sent as a form what its type should be, without repeating it", async () => {
    const form = "application/x-www-form-urlencoded";
    for (const sent of [{ clickId: some, transactionId: "t" }, [{ clickId: some }]]) {
      const [status, body] = await post(sent, undefined, form);
      expect([status, body]).toEqual([400, wrapped("VALIDATION_FAILED")]);
      expect(JSON.stringify(body)).toContain("looks like JSON");
      expect(JSON.stringify(body)).not.toContain(some);
    }
  });

  it("is refused where it is no UTF-8: two transactions would become one", async () => {
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}` };
    for (const [type, text] of [
      ["application/json", `{"clickId":"${some}","transactionId":"\xe9"}`],
      ["application/x-www-form-urlencoded", `clickId=${some}&transactionId=\xe9`],
      ["application/x-www-form-urlencoded", `clickId=${some}&transactionId=M%FCller-1`],
      ["application/x-www-form-urlencoded; charset=iso-8859-1", `clickId=${some}&transactionId=a&M%FC=1`],
    ] as const) {
      const init = { method: "POST", headers: { ...headers, "content-type": type }, body: Buffer.from(text, "latin1") };
      expect(await read("/conversion", init)).toEqual([400, wrapped("VALIDATION_FAILED")]);
    }
  });

  it("may be in the URL where there is no body", async () => {
    const { clickId } = await makeClick();
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}` };
    const path = `/conversion?clickId=${clickId}&transactionId=url`;
    expect((await read(path, { method: "POST", headers }))[0]).toBe(200);
  });

  it("is refused where it is JSON but no object, though the URL has all: an amount in it would be lost", async () => {
    const { offerId, clickId } = await makeClick();
    const headers = { authorization: `Bearer ${advertiser.conversionSecret}`, "content-type": "application/json" };
    for (const path of ["/conversion", "/conversion/reversal"]) {
      for (const body of ["[]", "null", "5", JSON.stringify('{"amount":49.9,"currency":"USD"}')]) {
        const told = await read(`${path}?clickId=${clickId}&transactionId=t`, { method: "POST", headers, body });
        expect(told).toEqual([400, wrapped("VALIDATION_FAILED")]);
      }
    }
    expect(await h.count("events where offer_id = $1 and kind = 'conversion'", [offerId])).toBe(0);
  });

  it("is refused when it is not what it says it is", async () => {
    const secret = advertiser.conversionSecret;
    for (const body of ["{", "", "nonsense"]) expect(await post(body)).toEqual([400, wrapped("VALIDATION_FAILED")]);
    expect(await post("x", secret, "multipart/form-data")).toEqual([400, wrapped("VALIDATION_FAILED")]);
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
});
