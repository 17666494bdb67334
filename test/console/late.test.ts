import { expect, it } from "vitest";
import { isCronLate } from "../../functions/console/core/late.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");

it.each([
  ["2026-11-22T11:59:00Z", false],
  ["2026-11-22T11:45:00Z", false],
  ["2026-11-22T11:44:59Z", true],
  ["2026-11-21T12:00:00Z", true],
  ["2026-11-22T12:01:00Z", false],
])("what the cron ended at %s is late at noon: %s", (endedAt, is) => {
  expect(isCronLate(endedAt, NOW)).toBe(is);
});
