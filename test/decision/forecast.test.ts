import { describe, expect, it } from "vitest";
import type { LearnedRates } from "../../db/documents/types.ts";
import { drawing } from "../../functions/decision/forecast/draws.ts";
import { forecastOf as forecastGivingWay } from "../../functions/decision/forecast/forecast.ts";
import {
  admits,
  admittedShare,
  candidateOf,
  seenRates,
  type Fact,
  type Planned,
} from "../../functions/decision/forecast/requests.ts";
import type { Play } from "../../functions/decision/forecast/week.ts";
import { OPEN_OFFER } from "../support/documents/arbitrary-decisions.ts";

const planned: Planned = {
  languages: [],
  currencies: [],
  amountMin: null,
  amountMax: null,
  paymentTypes: [],
  pricing: "CPM",
  priority: 5,
  bidMicros: 10_000_000,
  valueMicros: 10_000_000,
  ecpmMicros: 10_000_000,
  advertiserSerial: 77,
  dailyCap: null,
  lifetimeCap: null,
};
const fact: Fact = {
  country: "US",
  language: "en",
  currency: "USD",
  amount: 50,
  paymentType: null,
  count: 1,
  fits: true,
};
const learned: LearnedRates = { places: [0, 0, 0, 0], strengths: [4, 20, 4, 20], rates: [[]] };

/** Makes requests that only one offer answers so far, paid by the impression. */
const plays = (valueMicros: number, count = 40): Play[] => {
  const rival = { ...OPEN_OFFER, pricing: "CPM" as const, valueMicros };
  return Array.from({ length: count }, () => ({ fact, candidates: { offers: [rival], learned } }));
};

/** Makes requests that forty offers answer, each with a number of clicks where a thousand were expected. */
const among = (clicks: number): Play[] => {
  const like = { ...OPEN_OFFER, pricing: "CPC" as const, valueMicros: 1 };
  const offers = Array.from({ length: 40 }, (_, i) => Object.assign({}, like, { id: `o${i}` }));
  const candidates = { offers, learned: { ...learned, rates: offers.map(() => [0.02, clicks, 50_000, 0, 0]) } };
  return Array.from({ length: 40 }, () => ({ fact, candidates }));
};
const around = { days: Array<number>(7).fill(10_000 / 7), rates: [0.02, 0.05], slots: [], seen: [0.5] };
const half = { admitted: 500, sampled: 1_000 };

const forecastOf = async (offer: Planned, sampled: typeof half, met: readonly Play[], surroundings = around) =>
  forecastGivingWay(offer, sampled, met, surroundings, async () => undefined);

const wide = (told: Awaited<ReturnType<typeof forecastOf>>) => (told?.shown.high ?? 0) - (told?.shown.low ?? 0);

describe("admits", () => {
  it.each([
    [{}, {}, true],
    [{}, { fits: false }, false],
    [{ languages: ["de"] }, {}, false],
    [{ languages: ["de", "en"], paymentTypes: ["paypal" as const] }, { paymentType: "paypal" }, true],
    [{ currencies: ["USD"], amountMin: 40, amountMax: 60 }, {}, true],
    [{ currencies: ["USD"], amountMin: 60 }, {}, false],
    [{ currencies: ["USD"], amountMin: 40 }, { amount: null }, false],
    [{ paymentTypes: ["paypal" as const] }, {}, false],
  ])("judges %j against %j as an answer is", (targeting, more, is) => {
    expect(admits(candidateOf({ ...planned, ...targeting }), { ...fact, ...more })).toBe(is);
  });
});

describe("admittedShare", () => {
  it.each([
    [0, 10, 0, 0.278],
    [5, 10, 0.237, 0.763],
    [10, 10, 0.722, 1],
    [1_000, 2_000, 0.478, 0.522],
  ])("of %i of %i lies between", (admitted, sampled, low, high) => {
    const share = admittedShare(admitted, sampled);
    expect(share?.expected).toBe(admitted / sampled);
    expect(share?.low).toBeCloseTo(low, 3);
    expect(share?.high).toBeCloseTo(high, 3);
  });

  it("is unknown without a sample", () => {
    expect(admittedShare(0, 0)).toBeNull();
  });
});

describe("seenRates", () => {
  it("counts only answers that have so many offers", () => {
    expect(seenRates(100, [90, 20], [1, 1, 1, 2])).toEqual([0.9, 0.8]);
    expect(seenRates(0, [1], [1])).toEqual([0]);
    expect(seenRates(100, [250], [1])).toEqual([1]);
  });
});

describe("drawing", () => {
  it.each([0, 0.3, 4, 49, 51, 2_000])("draws counts around %d, which stray as counts do", (mean) => {
    const draw = drawing(7);
    const counts = Array.from({ length: 4_000 }, () => draw.poisson(mean));
    const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / counts.length;
    expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    expect(Math.abs(average - mean)).toBeLessThan(0.05 * Math.sqrt(mean) + 1e-9);
    expect(Math.abs(variance - mean)).toBeLessThan(0.1 * mean + 1e-9);
  });

  it("draws the same again", () => {
    const [one, other] = [drawing(7), drawing(7)];
    for (const mean of [0.3, 60]) expect(one.poisson(mean)).toBe(other.poisson(mean));
    expect(one.gamma(4)).toBe(other.gamma(4));
    expect(one.below(9)).toBe(other.below(9));
  });
});

describe("forecastOf", () => {
  it("shows what outbids all others wherever it is seen, and costs what that costs", async () => {
    const told = await forecastOf(planned, half, plays(1_000_000));
    // The offer is for half of 10,000 requests, and half of the answers are seen.
    expect(told?.shown.expected).toBeGreaterThan(2_400);
    expect(told?.shown.expected).toBeLessThan(2_600);
    expect(told?.cost.expected).toBeCloseTo((told?.shown.expected ?? 0) * 10_000, 3);
    expect(told?.shown.low).toBeLessThan(2_450);
    expect(told?.shown.high).toBeGreaterThan(2_550);
  });

  it("shows nothing of what others outbid, or come before", async () => {
    const nothing = { expected: 0, low: 0, high: 0 };
    expect(await forecastOf(planned, half, plays(90_000_000))).toEqual({ shown: nothing, cost: nothing });
    const late = { ...planned, priority: 9 };
    expect(await forecastOf(late, half, plays(1_000_000))).toEqual({ shown: nothing, cost: nothing });
  });

  it("is the same when asked for again, and wider for fewer samples and unknown rates", async () => {
    const known = await forecastOf(planned, half, plays(1_000_000));
    expect(await forecastOf(planned, half, plays(1_000_000))).toEqual(known);
    const few = await forecastOf(planned, { admitted: 5, sampled: 10 }, plays(1_000_000, 5));
    expect(wide(few)).toBeGreaterThan(3 * wide(known));
    const clicks = { ...planned, pricing: "CPC" as const, bidMicros: 500_000, valueMicros: 500_000 };
    expect(wide(await forecastOf(clicks, half, plays(9_000_000)))).toBeGreaterThan(3 * wide(known));
  });

  it("bills no more than caps allow in a week", async () => {
    const daily = await forecastOf({ ...planned, dailyCap: 100 }, half, plays(1_000_000));
    expect(daily).toEqual({
      shown: { expected: 700, low: 700, high: 700 },
      cost: { expected: 7_000_000, low: 7_000_000, high: 7_000_000 },
    });
    // Four in five requests came on one day, and the other two days bring less than a daily cap.
    const uneven = { ...around, days: [500, 1_500, 8_000] };
    const busyDay = await forecastOf({ ...planned, dailyCap: 1_000 }, half, plays(1_000_000), uneven);
    expect(Math.round((busyDay?.shown.expected ?? 0) / 100)).toBe(15);
    const clicks = { ...planned, pricing: "CPC" as const, bidMicros: 5e9, valueMicros: 5e9, lifetimeCap: 3 };
    const ever = await forecastOf(clicks, half, plays(1_000_000));
    expect(ever?.cost.high).toBe(15e9);
    expect(ever?.shown.expected).toBeLessThan(2_000);
  });

  it("tries what has to be liked unusually much, until little is to be hoped of it", async () => {
    const clicks = { ...planned, pricing: "CPC" as const, bidMicros: 150_000, valueMicros: 150_000 };
    const told = await forecastOf(clicks, half, plays(9_000_000), { ...around, days: [1_000_000] });
    // Its first 20 impressions are certain. Most then had no click, and a second one is not to be expected.
    expect(told?.shown.low).toBeGreaterThan(8);
    expect(told?.shown.expected).toBeGreaterThan(15);
    expect(told?.shown.expected).toBeLessThan(60);
    expect(told?.shown.high).toBeGreaterThan(60);
  });

  it("bills conversions of clicks, as many as the advertiser's rates and the place lead to expect", async () => {
    const sale = { ...planned, pricing: "CPA" as const };
    const busy = { ...around, days: [1_000_000] };
    const told = await forecastOf(sale, half, plays(1), busy);
    expect(told?.shown.expected).toBeGreaterThan(200_000);
    // One in a thousand of 250,000 impressions; the median of what may come is below its mean.
    expect(told?.cost.expected).toBeGreaterThan(150 * sale.bidMicros);
    expect(told?.cost.expected).toBeLessThan(250 * sale.bidMicros);
    const twice = plays(1).map(({ fact: same, candidates }) => ({
      fact: same,
      candidates: { ...candidates, learned: { ...learned, places: [980, 480, 980, 480] } },
    }));
    const there = await forecastOf(sale, half, twice, busy);
    const ratio = (there?.cost.expected ?? 0) / (told?.cost.expected ?? 1);
    expect(ratio).toBeGreaterThan(3.6);
    expect(ratio).toBeLessThan(4.4);
  });

  it("expects of an offer what others come to by their advertisers' rates, and no more than its advertiser's rate", async () => {
    const sale = { ...planned, pricing: "CPC" as const, bidMicros: 1e9, valueMicros: 1e9 };
    const costs = async (clicks: number) => (await forecastOf(sale, half, among(clicks)))?.cost.expected ?? 0;
    const asTold = await costs(1_000);
    expect(asTold).toBeGreaterThan(0);
    expect(await costs(2_000)).toBe(asTold);
    // Of forty-five, forty do half as well.
    const share = (await costs(500)) / asTold;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.6);
  });

  it("meets the same weeks, whatever is planned", async () => {
    const told = await forecastOf(planned, half, plays(1));
    const dearer = await forecastOf({ ...planned, bidMicros: 20_000_000, valueMicros: 20_000_000 }, half, plays(1));
    expect(dearer?.shown).toEqual(told?.shown);
    expect(dearer?.cost.expected).toBeCloseTo(2 * (told?.cost.expected ?? 0), 6);
  });

  it.each(["CPM", "CPC", "CPA"] as const)("asks no more of many requests than of some: %s", async (pricing) => {
    const askedFor = async (count: number): Promise<number> => {
      let asked = 0;
      const noted = Object.defineProperty({ ...fact }, "count", { get: () => ++asked && 1 });
      const noting = plays(1_000_000, count).map(({ candidates }) => ({ fact: noted, candidates }));
      await forecastOf({ ...planned, pricing }, half, noting);
      return asked;
    };
    const few = await askedFor(10);
    expect(few).toBeGreaterThan(0);
    const some = await askedFor(600);
    expect(some).toBeGreaterThan(5 * few);
    expect(await askedFor(2_000)).toBeLessThan(1.1 * some);
  });

  it("takes requests of many evenly from where they are", async () => {
    const [here, there] = [plays(1_000_000, 1), plays(90_000_000, 1)] as [[Play], [Play]];
    // It is outbid at every tenth request, as long as the steps are in which one of these would be taken.
    const met = Array.from({ length: 5_400 }, (_, i) => (i % 10 === 5 ? there[0] : here[0]));
    const all = await forecastOf(planned, half, plays(1_000_000));
    const most = await forecastOf(planned, half, met);
    const share = (most?.shown.expected ?? 0) / (all?.shown.expected ?? 1);
    expect(share).toBeGreaterThan(0.89);
    expect(share).toBeLessThan(0.91);
  });

  it("gives way to others again and again, and ends where it may not go on", async () => {
    let given = 0;
    await forecastGivingWay(planned, half, plays(1), around, async () => void given++);
    expect(given).toBeGreaterThan(100);
    const ended = forecastGivingWay(planned, half, plays(1), around, async () => Promise.reject(new Error("ended")));
    await expect(ended).rejects.toThrow("ended");
  });

  it("tells nothing of four requests", async () => {
    expect(await forecastOf(planned, half, plays(1, 4))).toBeNull();
  });
});
