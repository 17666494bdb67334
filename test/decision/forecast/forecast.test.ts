import { describe, expect, it } from "vitest";
import type { LearnedRates } from "../../../db/documents/types.ts";
import { forecastOf as forecastGivingWay } from "../../../functions/decision/forecast/forecast.ts";
import type { Planned } from "../../../functions/decision/forecast/requests.ts";
import type { Play, Surroundings } from "../../../functions/decision/forecast/week.ts";
import { OPEN_OFFER } from "../../support/documents/arbitrary-decisions.ts";
import { fact, planned } from "../../support/documents/planned.ts";

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

/** Makes requests for four offers, three of which come before all others. */
const behindThree = (): Play[] => {
  const first = { ...OPEN_OFFER, pricing: "CPM" as const, priority: 1 };
  const offers = [1, 2, 3].map((advertiserSerial) =>
    Object.assign({}, first, { id: `o${advertiserSerial}`, advertiserSerial }),
  );
  const candidates = { offers, learned: { ...learned, rates: offers.map(() => []) } };
  return Array.from({ length: 40 }, () => ({ fact: { ...fact, count: 4 }, candidates }));
};
const around: Surroundings = { days: Array<number>(7).fill(10_000 / 7), rates: [0.02, 0.05], slots: [], seen: [0.5] };
const half = { admitted: 500, sampled: 1_000 };

const forecastOf = async (offer: Planned, sampled: typeof half, met: readonly Play[], surroundings = around) =>
  forecastGivingWay(offer, sampled, met, surroundings, async () => undefined);

const wide = (told: Awaited<ReturnType<typeof forecastOf>>) => (told?.shown.high ?? 0) - (told?.shown.low ?? 0);

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

  it("expects fewer clicks at a place that is clicked less", async () => {
    const clicks = { ...planned, pricing: "CPC" as const };
    const costs = async (fourth: number): Promise<number> => {
      const slots = [1, 1, 1, fourth].map((effect) => ({ count: 1e9 * effect, exposure: 1e9 }));
      const busy = { ...around, days: [1_000_000], seen: [1, 0.9, 0.8, 0.7], slots };
      const told = await forecastOf(clicks, half, behindThree(), busy);
      // It is seen as often as what stands in the fourth place.
      expect(told?.shown.expected).toBeGreaterThan(330_000);
      expect(told?.shown.expected).toBeLessThan(370_000);
      return told?.cost.expected ?? 0;
    };
    expect((await costs(0.5)) / (await costs(1))).toBeCloseTo(0.5, 1);
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
