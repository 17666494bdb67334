import { expect, it } from "vitest";
import { simulateHitRates, type Assumptions } from "./hit-rates.ts";

const played = (edits: Partial<Assumptions>) =>
  simulateHitRates({
    requestsADay: 1e7,
    locations: 5,
    placements: 1_000,
    placementsOfAPublisher: 20,
    locationExponent: 1,
    placementExponent: 1,
    ratePerIsolate: 5,
    minIsolates: 2,
    atHome: 0.8,
    regions: 10,
    countries: 10,
    memoryEntries: 1_500,
    editsASecond: 0,
    onEdit: "renew by age",
    seconds: 600,
    seed: 5,
    ...edits,
  });

it("has answers wait for changes only where more come than are listed, or each outdates every list", () => {
  expect(played({}).waits).toBe(0);
  expect(played({ editsASecond: 1 / 60 }).waits).toBe(0);
  expect(played({ editsASecond: 100 }).waits).toBeGreaterThan(0);
  expect(played({ editsASecond: 1 / 60, onEdit: "rebuild all" }).waits).toBeGreaterThan(0);
});
