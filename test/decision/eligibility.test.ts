import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { ineligibility, isPicky, unmet, type DecisionRequest } from "../../functions/decision/eligibility.ts";
import { NOW, offersOf, OPEN_OFFER as open, requestOf } from "../support/documents/arbitrary-decisions.ts";
import { networkDocument } from "../support/documents/documents.ts";

const network = networkDocument();
const plain: DecisionRequest = { count: 4, session: "s", arm: "0", now: NOW };

describe("ineligibility", () => {
  it.each<[string, Partial<Candidate>, Partial<DecisionRequest>, string | null]>([
    ["an open offer", {}, {}, null],
    ["a start a moment ahead", { startsAt: NOW + 1 }, {}, "not_started"],
    ["a start now", { startsAt: NOW }, {}, null],
    ["an end a moment ahead", { endsAt: NOW + 1 }, {}, null],
    ["an end now", { endsAt: NOW }, {}, "ended"],
    ["a time around now", { startsAt: NOW - 1, endsAt: NOW + 1 }, {}, null],
    ["its language", { languages: ["de", "en"] }, { language: "en" }, null],
    ["another language", { languages: ["de", "en"] }, { language: "fr" }, "language"],
    ["no language told", { languages: ["de"] }, {}, "language"],
    ["its currency", { currencies: ["USD"] }, { currency: "USD" }, null],
    ["another currency", { currencies: ["USD"] }, { currency: "EUR" }, "currency"],
    ["no currency told", { currencies: ["USD"] }, {}, "currency"],
    ["its payment type", { paymentTypes: ["paypal"] }, { paymentType: "paypal" }, null],
    ["another payment type", { paymentTypes: ["paypal"] }, { paymentType: "crypto" }, "payment_type"],
    ["no payment type told", { paymentTypes: ["paypal"] }, {}, "payment_type"],
    ["an amount at the least", { amountMin: 50, amountMax: 100 }, { amount: 50 }, null],
    ["an amount at the most", { amountMin: 50, amountMax: 100 }, { amount: 100 }, null],
    ["an amount too low", { amountMin: 50, amountMax: 100 }, { amount: 49.99 }, "amount"],
    ["an amount too high", { amountMin: 50, amountMax: 100 }, { amount: 100.01 }, "amount"],
    ["an amount above an open range's least", { amountMin: 50 }, { amount: 1_000_000 }, null],
    ["an amount of nothing below an open range's most", { amountMax: 100 }, { amount: 0 }, null],
    ["no amount told, a least", { amountMin: 0 }, {}, "amount"],
    ["no amount told, a most", { amountMax: 1e9 }, {}, "amount"],
    ["facts that it does not ask for", {}, { language: "fr", currency: "EUR", amount: 5, paymentType: "other" }, null],
  ])("of %s", (_, offer, request, reason) => {
    expect(ineligibility({ ...open, ...offer }, network, { ...plain, ...request })).toBe(reason);
  });

  it.each<[string, Partial<NetworkDocument>, string | null]>([
    ["since", { offers: [[11, 7]] }, "changed"],
    [
      "among others since",
      {
        offers: [
          [1, 6, 8],
          [11, 6, 7],
        ],
      },
      "changed",
    ],
    ["and was built from the change", { offers: [[10, 7]] }, null],
    ["before", { offers: [[9, 7]] }, null],
    ["when another one did", { offers: [[11, 8]] }, null],
    ["with its advertiser since", { advertisers: [[21, 3]] }, "changed"],
    ["and was built from its advertiser's change", { advertisers: [[20, 3]] }, null],
    ["when another advertiser did", { advertisers: [[21, 7]] }, null],
  ])("of an offer that changed %s", (_, changes, reason) => {
    const offer = { ...open, serial: 7, changedAt: NOW + 10, advertiserSerial: 3, advertiserChangedAt: NOW + 20 };
    expect(ineligibility(offer, networkDocument({ since: NOW, ...changes }), plain)).toBe(reason);
  });

  it("of an offer without a network document to tell is by its targeting alone", () => {
    expect(ineligibility(open, null, plain)).toBeNull();
  });
});

describe("an offer that is not picky", () => {
  it("suits every request", () => {
    fc.assert(
      fc.property(offersOf, requestOf, (offers, request) => {
        const refused = offers.filter((offer) => unmet(offer, request) !== null);
        expect(refused.every(isPicky)).toBe(true);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it.each<[string, Partial<Candidate>, boolean]>([
    ["asks nothing", {}, false],
    ["starts", { startsAt: 0 }, true],
    ["ends", { endsAt: 0 }, true],
    ["asks for a language", { languages: ["de"] }, true],
    ["asks for a currency", { currencies: ["EUR"] }, true],
    ["asks for an amount of at least 0", { amountMin: 0 }, true],
    ["asks for an amount of at most 0", { amountMax: 0 }, true],
    ["asks for a payment type", { paymentTypes: ["crypto"] }, true],
  ])("%s: %j is %s", (_, offer, picky) => {
    expect(isPicky({ ...open, ...offer })).toBe(picky);
  });
});
