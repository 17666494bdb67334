import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fieldsOf, forecastBody } from "../../functions/console/core/offers/offer.ts";
import { isoTime, localTime } from "../../functions/console/core/times.ts";

// A zone behind UTC, by no whole number of hours.
beforeAll(() => {
  vi.stubEnv("TZ", "America/St_Johns");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

it.each([
  ["2026-11-22T09:30:00.000Z", "2026-11-22T06:00"],
  ["2026-06-01T00:00:00.000Z", "2026-05-31T21:30"],
])("%s is %s in Newfoundland, and means the same again", (time, local) => {
  expect(localTime(time)).toBe(local);
  expect(isoTime(local)).toBe(time);
});

it("the form of an offer shows local times, and sends what they mean", () => {
  const fields = fieldsOf({ startsAt: "2026-11-22T09:30:00.000Z", endsAt: null });
  expect(fields).toMatchObject({ startsAt: "2026-11-22T06:00", endsAt: "" });
  expect(forecastBody(fields)).toMatchObject({ startsAt: "2026-11-22T09:30:00.000Z", endsAt: null });
});
