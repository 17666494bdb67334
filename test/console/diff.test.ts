import { expect, it } from "vitest";
import { changesOf } from "../../functions/console/core/diff.ts";
import { moment } from "../../functions/console/core/format.ts";

const AT = "2026-11-22T09:30:00.000Z";

it.each([
  ["a member of another", { data: { name: "A" } }, { data: { name: "B" } }, ["data.name", "A", "B"]],
  ["a time, in the viewer's zone", { endsAt: null }, { endsAt: AT }, ["endsAt", "empty", moment(AT)]],
  ["a text with a time in it", { name: "" }, { name: `From ${AT}` }, ["name", "empty", `From ${AT}`]],
  ["a bid in dollars", { bidMicros: 500_000 }, { bidMicros: 620_001 }, ["bidMicros", "0.5", "0.620001"]],
  [
    "a share in percent",
    { publisherShareBps: 7_000 },
    { publisherShareBps: 6_550 },
    ["publisherShareBps", "70", "65.5"],
  ],
  ["a list", { countries: [] }, { countries: ["DE", "FR"] }, ["countries", "none", "DE, FR"]],
  ["a switch", { adsEnabled: true }, { adsEnabled: false }, ["adsEnabled", "yes", "no"]],
  ["what was made", null, { name: "A" }, ["name", null, "A"]],
  ["what was deleted", { name: "A" }, null, ["name", "A", null]],
  ["a member that was added", { data: {} }, { data: { page: 0 } }, ["data.page", null, "0"]],
  ["a member that is no object any more", { icon: { url: "u" } }, { icon: null }, ["icon", '{"url":"u"}', "empty"]],
  ["a member that was none before", { icon: null }, { icon: { url: "u" } }, ["icon", "empty", '{"url":"u"}']],
  ["a list of objects", { list: [] }, { list: [{ a: 1 }] }, ["list", "none", '[{"a":1}]']],
  ["a secret that was set", { secret: null }, { secret: "hidden" }, ["secret", "empty", "hidden"]],
  ["a secret that was taken away", { secret: "hidden" }, { secret: null }, ["secret", "hidden", "empty"]],
  ["a secret", { secret: "hidden" }, { secret: "hidden" }, ["secret", null, "changed; the value is not kept here"]],
])("a change shows %s", (_, before, after, [name, was, is]) => {
  expect(changesOf(before, after)).toEqual([{ name, before: was, after: is }]);
});

it("a change shows nothing of what stayed", () => {
  expect(changesOf({ name: "A", list: [1] }, { name: "A", list: [1] })).toEqual([]);
});
