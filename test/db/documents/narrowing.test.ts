import { describe, expect, it } from "vitest";
import { ANY, bandOf, boundsOf, narrowingOf } from "../../../db/documents/candidates/narrowing.ts";

describe("the band of an amount", () => {
  it.each([
    [0, 0, 10],
    [9.99, 0, 10],
    [10, 10, 20],
    [79.9, 75, 100],
    [199_999.99, 50_000, 200_000],
    [200_000, 200_000, Infinity],
    [1_000_000, 200_000, Infinity],
  ])("of %d begins with %d, and ends below %d", (amount, from, below) => {
    expect(boundsOf(bandOf(amount))).toEqual({ from, below });
  });

  it("that is none has all amounts", () => {
    expect(boundsOf(ANY)).toEqual({ from: 0, below: Infinity });
  });
});

describe("the facts that candidates are narrowed by", () => {
  const targeted = { languages: ["de", "fr"], currencies: ["EUR"], paymentTypes: ["paypal"] };
  const ASKED_FOR = { language: "fr", currency: "EUR", paymentType: "paypal" };
  const NOTHING = { language: ANY, currency: ANY, paymentType: ANY, band: ANY };

  it.each([
    ["nothing", {}, {}],
    ["what offers ask for", ASKED_FOR, ASKED_FOR],
    ["what no offer asks for", { language: "xx", currency: "USD", paymentType: "crypto" }, {}],
    ["an amount in a currency that offers ask for", { currency: "EUR", amount: 0 }, { currency: "EUR", band: "0" }],
    ["an amount in another currency", { currency: "USD", amount: 5 }, {}],
    ["an amount alone", { amount: 5 }, {}],
  ])("are of a request with %s", (_, request, facts) => {
    expect(narrowingOf(request, targeted)).toEqual({ ...NOTHING, ...facts });
  });
});
