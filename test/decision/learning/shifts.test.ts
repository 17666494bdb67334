import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SHIFT_DAYS, shiftOf } from "../../../functions/decision/learning/shifts.ts";
import { weightOf } from "../../../functions/decision/learning/sums.ts";

const TODAY = 20_000;
/** Fades by so little that a day weighs what another does. */
const HARDLY = { halfLife: 1e9, origin: TODAY };
const FADING = { halfLife: 60, origin: TODAY - 500 };

type Counted = [clicks: number, exposure: number];

/** Returns the last days, the latest of which is today. */
const daysOf = (counted: readonly Counted[]) =>
  counted.map(([taught, exposure], i) => ({ day: TODAY - counted.length + 1 + i, taught, exposure }));

/** Returns all that happened, by the weights of its days: on the days, and before them. */
const allOf = (counted: readonly Counted[], [clicks, exposure]: Counted, fading = HARDLY) =>
  daysOf(counted).reduce(
    (sum, { day, taught, exposure: shown }) => ({
      clicks: sum.clicks + weightOf(day, fading) * taught,
      exposure: sum.exposure + weightOf(day, fading) * shown,
    }),
    {
      clicks: weightOf(TODAY - 20, fading) * clicks,
      exposure: weightOf(TODAY - 20, fading) * exposure,
    },
  );

const shiftIn = (counted: readonly Counted[], before: Counted, fading = HARDLY) =>
  shiftOf(allOf(counted, before, fading), daysOf(counted), TODAY, fading);

const USUAL: Counted = [30, 1_000];

describe("shiftOf", () => {
  it.each<[string, Counted[], Counted]>([
    ["nothing happened", [], [0, 0]],
    ["nothing happened lately", [], USUAL],
    ["everything happened lately", [[30, 1_000]], [0, 0]],
    ["it was not shown lately", [[0, 0]], USUAL],
    ["the rate stays", [USUAL, USUAL, USUAL], USUAL],
    ["little is counted of another rate", [[1, 100]], [9, 300]],
    ["chance explains a bad day", [USUAL, [18, 1_000]], [300, 10_000]],
  ])("finds none where %s", (_, counted, before) => {
    expect(shiftIn(counted, before)).toBeNull();
  });

  it.each<[string, Counted[], Counted, number]>([
    ["falls", [USUAL, USUAL, [10, 1_000], [10, 1_000]], [300, 10_000], TODAY - 1],
    ["rises", [USUAL, [60, 1_000], [60, 1_000], [60, 1_000]], [300, 10_000], TODAY - 2],
    ["ends", [USUAL, [0, 500]], [300, 10_000], TODAY],
    [
      "begins",
      [
        [0, 500],
        [20, 500],
      ],
      [0, 1_000],
      TODAY,
    ],
    [
      "fell before the first of the days",
      [
        [10, 1_000],
        [10, 1_000],
      ],
      [300, 10_000],
      TODAY - 1,
    ],
  ])("finds since when the rate %s", (_, counted, before, since) => {
    expect(shiftIn(counted, before)?.since).toBe(since);
  });

  it("lets what came before count for two fifths, and all since then in full", () => {
    const counted: Counted[] = [USUAL, [10, 1_000], [5, 500]];
    const all = allOf(counted, [300, 10_000]);
    const shift = shiftIn(counted, [300, 10_000]);
    expect(shift?.since).toBe(TODAY - 1);
    expect(all.clicks * (shift?.clicks ?? 0)).toBeCloseTo(0.4 * 330 + 15, 3);
    expect(all.exposure * (shift?.exposure ?? 0)).toBeCloseTo(0.4 * 11_000 + 1_500, 3);
  });

  it("finds none in evidence of which less is left than its days tell", () => {
    // The creative changed: ten clicks of what was seen before are kept.
    expect(shiftOf({ clicks: 10, exposure: 300 }, daysOf([USUAL, [10, 1_000]]), TODAY, HARDLY)).toBeNull();
  });

  it("weighs days as they fade", () => {
    const counted: Counted[] = [USUAL, USUAL, [10, 1_000], [10, 1_000]];
    const all = allOf(counted, [300, 10_000], FADING);
    const shift = shiftIn(counted, [300, 10_000], FADING);
    const weight = (day: number) => weightOf(day, FADING);
    const since = weight(TODAY - 1) + weight(TODAY);
    const before = 10 * weight(TODAY - 20) + weight(TODAY - 3) + weight(TODAY - 2);
    expect(shift?.since).toBe(TODAY - 1);
    expect(all.clicks * (shift?.clicks ?? 0)).toBeCloseTo(10 * since + 0.4 * 30 * before, 3);
    expect(all.exposure * (shift?.exposure ?? 0)).toBeCloseTo(1_000 * (since + 0.4 * before), 3);
  });

  it("never adds to what is known, nor takes all of it, whatever was counted", () => {
    const count = fc.nat(1_000);
    const some = fc.tuple(count, count);
    fc.assert(
      fc.property(fc.array(some, { maxLength: SHIFT_DAYS }), some, some, (counted, before, all) => {
        const [clicks, exposure] = all;
        const found = [shiftIn(counted, before, FADING), shiftOf({ clicks, exposure }, daysOf(counted), TODAY, FADING)];
        for (const shift of found) {
          if (!shift) continue;
          expect(shift.clicks).toBeGreaterThan(0);
          expect(shift.clicks).toBeLessThanOrEqual(1);
          expect(shift.exposure).toBeGreaterThan(0);
          expect(shift.exposure).toBeLessThan(1);
        }
      }),
    );
  });
});
