import { expect, it } from "vitest";
import { changesOf } from "../../functions/console/core/diff.ts";
import { moment } from "../../functions/console/core/format.ts";

const AT = "2026-11-22T09:30:00.000Z";

it.each([
  ["a member of another", { data: { name: "A" } }, { data: { name: "B" } }, ["data.name", "A", "B"]],
  ["a time, in the viewer's zone", { endsAt: null }, { endsAt: AT }, ["endsAt", "empty", moment(AT)]],
  ["a text with a time in it", { name: "" }, { name: `From ${AT}` }, ["name", "empty", `From ${AT}`]],
  ["a list", { countries: [] }, { countries: ["DE", "FR"] }, ["countries", "none", "DE, FR"]],
  ["a switch", { adsEnabled: true }, { adsEnabled: false }, ["adsEnabled", "yes", "no"]],
  ["a secret", { secret: "hidden" }, { secret: "hidden" }, ["secret", null, "changed, and not kept here"]],
])("a change shows %s", (_, before, after, [name, was, is]) => {
  expect(changesOf(before, after)).toEqual([{ name, before: was, after: is }]);
});

it("a change shows nothing of what stayed", () => {
  expect(changesOf({ name: "A", list: [1] }, { name: "A", list: [1] })).toEqual([]);
});
