import { expect, it } from "vitest";
import { isoTime, localTime } from "../../functions/console/core/times.ts";

it.each(["2026-11-22T09:30:00.000Z", "2026-06-01T00:00:00.000Z"])("brings %s back through a field", (time) => {
  expect(isoTime(localTime(time))).toBe(time);
});

it.each([undefined, "", "soon"])("shows nothing of %j", (text) => {
  expect(localTime(text)).toBe("");
  expect(isoTime(text ?? "")).toBe("");
});
