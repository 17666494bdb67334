import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { taperSql } from "../../../db/demand/caps/taper.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { naiveTaper } from "../../support/naive/taper.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

it("is judged in the database as it is the plain way", async () => {
  const states = fc.sample(
    fc.record({
      left: fc.option(fc.integer({ min: -5, max: 100_000 })),
      recent: fc.option(fc.double({ min: 0, max: 50_000, noNaN: true })),
      before: fc.integer({ min: 0, max: 4 }),
    }),
    { numRuns: 2_000, seed: 1 },
  );
  const { rows } = await h.db.execute<{ taper: string }>(sql`
    select ${taperSql(sql`v."left"`, sql`v.recent`, sql`v.before`)} as taper
    from jsonb_to_recordset(${JSON.stringify(states.map((state, i) => ({ ...state, i })))}::jsonb)
      as v ("left" numeric, recent float8, before smallint, i integer) order by v.i`);
  expect(rows.map(({ taper }) => Number(taper))).toEqual(states.map(naiveTaper));
});

describe("delivery that goes on for two minutes after what it is judged by", () => {
  const DELAY = 120;

  /**
   * Delivers at a rate a second to the share of sessions that was published one delay ago, until the stop arrives.
   *
   * @returns what was delivered past the cap, as a share of what a delay brings, and how often something was published
   */
  const overrunOf = (rate: number, cap: number, tapers: boolean) => {
    const published = Array.from({ length: DELAY }, () => 0);
    let [delivered, billed, recent, taper, puts, stopsAt] = [0, 0, 0, 0, 0, Infinity];
    for (let second = 0; second < stopsAt; second++) {
      const shown = rate / 2 ** (published.shift() ?? 0);
      delivered += shown;
      const counted = Math.min(shown, cap - billed);
      billed += counted;
      recent = recent * Math.exp(-1 / DELAY) + counted;
      const next = tapers ? naiveTaper({ left: cap - billed, recent, before: taper }) : 0;
      if (next !== taper) puts += 1;
      taper = next;
      published.push(taper);
      if (billed >= cap - 1e-6 && stopsAt === Infinity) stopsAt = second + 1 + DELAY;
      if (second > 1e6) throw new Error("the cap is never reached");
    }
    return { overrun: (delivered - cap) / (rate * DELAY), puts, seconds: stopsAt - DELAY };
  };

  const rates = fc.double({ min: 1, max: 1_000, noNaN: true });
  const delays = fc.double({ min: 5, max: 200, noNaN: true });

  it("exceeds a cap by less than a sixth of what comes in that time, where it was all of that", () => {
    fc.assert(
      fc.property(rates, delays, (rate, times) => {
        const cap = Math.round(rate * DELAY * times);
        const { overrun, puts, seconds } = overrunOf(rate, cap, true);
        expect(overrunOf(rate, cap, false).overrun).toBeCloseTo(1, 1);
        expect(overrun).toBeLessThan(1 / 6);
        expect(puts).toBeLessThan(8);
        // It takes a few delays longer to use the cap up.
        expect(seconds - cap / rate).toBeLessThan(4 * DELAY);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("never exceeds a cap by more than what comes in that time", () => {
    fc.assert(
      fc.property(rates, fc.double({ min: 0.001, max: 5, noNaN: true }), (rate, times) => {
        const cap = Math.max(1, Math.round(rate * DELAY * times));
        expect(overrunOf(rate, cap, true).overrun).toBeLessThan(1 + 2 / DELAY);
      }),
      { seed: 2, numRuns: 200 },
    );
  });
});
