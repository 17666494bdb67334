import { expect, it } from "vitest";
import { isoTime, isWhole, localTime } from "../../functions/console/core/times.ts";

it.each(["2026-11-22T09:30:00.000Z", "2026-06-01T00:00:00.000Z"])("brings %s back through a field", (time) => {
  expect(isoTime(localTime(time))).toBe(time);
});

it.each([undefined, "", "soon"])("shows nothing of %j", (text) => {
  expect(localTime(text)).toBe("");
  expect(isoTime(text ?? "")).toBe("");
});

it.each([
  ["2026-11-20", true],
  ["2026-11-20T09:30", true],
  ["2026-11-20T09:30:15", true],
  ["0002-11-20", false],
  ["0202-11-20T09:30", false],
  ["20260-11-20", false],
  ["", false],
])("takes %j for whole: %s", (text, expected) => {
  expect(isWhole(text)).toBe(expected);
});
