import type { ExplainedOffer } from "#client";
import { expect, it } from "vitest";
import { apiName, assumedOf, isNamed, movesOf, readRequest, reasonText } from "../../functions/console/core/explain.ts";

const KEPT = { placementId: "plc_1", count: "", seen: "", country: "", language: "", amount: "", currency: "" };

it.each([
  [
    "an address",
    "https://lanyap.example/api/odata?placementId=plc_1&at.country=DE&sessionId=s-1#top",
    "s-1",
    { country: "DE" },
  ],
  [
    "a path",
    "/api/odata?placementId=plc_1&at.amount=79.90&at.currency=USD",
    null,
    { amount: "79.90", currency: "USD" },
  ],
  ["parameters", "placementId=plc_1&count=2&seen=ofr_1,ofr_2", null, { count: "2", seen: "ofr_1,ofr_2" }],
  [
    "other names",
    "?placementId=plc_1&at.ordervalue=5&at.payment_type=paypal",
    null,
    { amount: "5", paymenttype: "paypal" },
  ],
  ["parameters between spaces", "  placementId=plc_1&count=2 \n", null, { count: "2" }],
])("reads a request that comes as %s", (_, text, sessionId, found) => {
  expect(readRequest(text)).toEqual({ sessionId, kept: { ...KEPT, paymenttype: "", ...found } });
});

it("keeps nothing of who the customer is, nor the key", () => {
  const found = readRequest("/api/odata?placementId=plc_1&publicKey=lan_pk_1&at.email=a%40b.example&at.firstname=Ann");
  expect(JSON.stringify(found)).not.toMatch(/lan_pk|example|Ann/);
});

it.each(["", "hello", "https://shop.example/thanks?order=1"])("knows that %j is no request", (text) => {
  expect(readRequest(text)).toBe(null);
});

it("names facts as the API does", () => {
  expect(["country", "placementId", "seen"].map(apiName)).toEqual(["at.country", "placementId", "seen"]);
});

it("says each reason in words, also one that it does not know", () => {
  expect(reasonText("payment_type")).toBe("It is for other payment types");
  expect(reasonText("something_new")).toBe("Something new");
});

it.each([
  ["US", "de", {}, { country: "US", language: "de" }],
  ["US", "de", { country: "US", language: "" }, { language: "de" }],
  ["DE", "en", { country: "de", language: "en-US" }, {}],
  [null, null, {}, {}],
])(
  "of %j and %j, that were decided on, where the request has %j: %j was assumed",
  (country, language, named, assumed) => {
    expect(assumedOf({ country, language }, named)).toEqual(assumed);
  },
);

it.each([
  ["country", {}, "It asks for a country, and this request names none"],
  ["country", { country: "DE" }, "It is for other countries"],
  ["language", { language: "de" }, "It is for other languages"],
  ["currency", { currency: "USD" }, "It is for other currencies"],
  ["amount", { amount: "5" }, "It is for other amounts"],
  ["language", { country: "DE", language: "" }, "It asks for a language, and this request names none"],
  ["currency", {}, "It asks for a currency, and this request names none"],
  ["amount", { currency: "USD" }, "It asks for an order amount, and this request names none"],
  ["payment_type", {}, "It asks for a payment type, and this request names none"],
  ["payment_type", { paymenttype: "paypal" }, "It is for other payment types"],
  ["site", {}, "It is for other sites"],
])("says of %s, where the request has %j: %s", (reason, facts, text) => {
  expect(reasonText(reason, facts)).toBe(text);
});

it.each([
  ["Green Tea", "tea", true],
  ["Green Tea", " GREEN ", true],
  ["Green Tea", "", true],
  ["Green Tea", "coffee", false],
])("tells whether %j has %j in it", (name, part, is) => {
  expect(isNamed(name, part)).toBe(is);
});

const verdict = (offerId: string, rank: number | null, reason: string | null = null): ExplainedOffer => ({
  offerId,
  name: offerId,
  served: rank !== null,
  rank,
  reason,
  pace: null,
  expectation: null,
  creatives: null,
});

it("tells how offers stood before that moved, or are out for another reason", () => {
  const before = [verdict("a", 1), verdict("b", 2), verdict("c", null, "country"), verdict("d", null, "ended")];
  const now = [
    verdict("b", 1),
    verdict("c", 2),
    verdict("a", null, "country"),
    verdict("d", null, "ended"),
    verdict("e", 3),
  ];
  expect([...movesOf(before, now)]).toEqual([
    ["b", "was: rank 2"],
    ["c", "was: it is for other countries"],
    ["a", "was: rank 1"],
    ["e", "was not listed"],
  ]);
  expect(movesOf(null, now).size).toBe(0);
});
