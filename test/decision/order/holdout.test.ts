import { describe, expect, it } from "vitest";
import { ARMS } from "../../../functions/decision/arms.ts";
import { decide, firsts, ids, network, offer, plain, seen } from "../../support/deciding.ts";

describe("the order of sessions that are held out", () => {
  it("puts an offer first in proportion to its bid and the assumed rate, whatever was learned", () => {
    const offers = [1, 2, 3, 4].map((million) => offer(`${million}`, million * 1_000_000));
    const learned = { places: [50, 50], strengths: [10, 20], rates: [seen(90), seen(1), seen(1), seen(1)] };
    for (const [i, share] of firsts({ offers, learned }, (n) => `s${n}`, ARMS.holdout).entries()) {
      expect(Math.abs(share - (i + 1) / 10)).toBeLessThan(0.02);
    }
  });

  it("keeps to priorities, favours no newcomer, and gives an advertiser what its bids win", () => {
    const offers = [
      offer("a", 90_000_000, { advertiserSerial: 1 }),
      offer("b", 80_000_000, { advertiserSerial: 1 }),
      offer("c", 1, { advertiserSerial: 2, isNew: true }),
      offer("d", 1e12, { advertiserSerial: 3, priority: 6 }),
    ];
    for (let i = 0; i < 200; i++) {
      const chosen = ids(decide(offers, network, { ...plain, arm: ARMS.holdout, session: `s${i}` }));
      expect(chosen.slice(0, 2).toSorted()).toEqual(["ofr_a", "ofr_b"]);
      expect(chosen.slice(2)).toEqual(["ofr_c", "ofr_d"]);
    }
  });

  it("puts what the session has answered last", () => {
    const offers = [offer("a", 90_000_000), offer("b", 1)];
    const request = { ...plain, arm: ARMS.holdout, seen: ["ofr_a"] };
    expect(ids(decide(offers, network, request))).toEqual(["ofr_b", "ofr_a"]);
  });
});
