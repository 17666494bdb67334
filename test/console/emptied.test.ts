import { expect, it } from "vitest";
import { emptied } from "../../functions/console/core/emptied.ts";

const TEXT = "This can be changed, but not left empty";

it.each([
  ["nothing was changed", { name: "Ash", phone: "" }, {}],
  ["what was empty stays so", { name: "Oak", phone: " " }, {}],
  ["what had a value is empty", { name: "", phone: "1" }, { name: TEXT }],
  ["what had a value is blank", { name: " \u00A0", phone: "" }, { name: TEXT }],
])("says what cannot be emptied: %s", (_, values, wrong) => {
  expect(emptied(values, { name: "Ash", phone: "" }, ["name", "phone"])).toEqual(wrong);
});

it("lets be emptied what is not required", () => {
  expect(emptied({ name: "", domain: "" }, { name: "Ash", domain: "ash.example" }, ["name"])).toEqual({ name: TEXT });
});
