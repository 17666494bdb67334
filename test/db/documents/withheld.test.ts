import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../db/documents/types.ts";
import { isWithheld, taperOf, withChangesOf, withheldIn } from "../../../db/documents/withheld.ts";
import { OPEN_OFFER } from "../../support/documents/arbitrary-decisions.ts";
import { networkDocument } from "../../support/documents/documents.ts";

const offer = (changes: Partial<Candidate>): Candidate => ({
  ...OPEN_OFFER,
  serial: 7,
  changedAt: 1_005,
  advertiserSerial: 3,
  advertiserChangedAt: 1_005,
  ...changes,
});

describe("an offer that changed", () => {
  it.each([
    ["after its list was built", { offers: [[6, 7]] }, true],
    ["as its list was built, which has that change", { offers: [[5, 7]] }, false],
    ["of several at a time", { offers: [[6, 1, 7, 9]] }, true],
    ["beside it", { offers: [[6, 8]] }, false],
    ["by its advertiser, after its list was built", { advertisers: [[6, 3]] }, true],
    ["by its advertiser, as its list was built", { advertisers: [[5, 3]] }, false],
    ["by another advertiser, whose number is the offer's", { advertisers: [[6, 7]] }, false],
  ])("%s: %j withholds it: %s", (_, changes, is) => {
    const network = networkDocument({ since: 1_000, ...changes });
    expect(isWithheld(network, offer({}))).toBe(is);
    expect(withheldIn(network, [offer({ serial: 100, advertiserSerial: 100 }), offer({})])).toBe(is ? 1 : 0);
  });
});

it.each([
  [7, 2],
  [8, 2],
  [9, 1],
  [1, 0],
])("an offer of number %d is tapered %d times", (serial, halvings) => {
  const network = networkDocument({
    since: 1_000,
    tapered: [
      [1, 9],
      [2, 7, 8],
    ],
  });
  expect(taperOf(network, offer({ serial }))).toBe(halvings);
  expect(taperOf(networkDocument(), offer({ serial }))).toBe(0);
});

describe("changes that another document lists besides", () => {
  it("are taken over where they are later, counted from the same time", () => {
    const own = networkDocument({ since: 1_000, offers: [[5, 1, 2]], advertisers: [[5, 3]] });
    const other = networkDocument({
      since: 900,
      offers: [
        [105, 1],
        [106, 2],
        [100, 4],
        [101, 5],
      ],
      advertisers: [[107, 3]],
    });
    expect(withChangesOf(own, other)).toMatchObject({
      since: 1_000,
      offers: [
        [5, 1, 2],
        [6, 2],
        [1, 5],
      ],
      advertisers: [
        [5, 3],
        [7, 3],
      ],
    });
  });

  it("bring what their offers ask for, each once and in order", () => {
    const own = networkDocument({ targeted: { languages: ["fr"], currencies: [], paymentTypes: ["paypal"] } });
    const other = networkDocument({
      targeted: { languages: ["de", "fr"], currencies: ["EUR"], paymentTypes: ["crypto"] },
    });
    expect(withChangesOf(own, other).targeted).toEqual({
      languages: ["de", "fr"],
      currencies: ["EUR"],
      paymentTypes: ["crypto", "paypal"],
    });
  });
});
