import { expect, it } from "vitest";
import { AGE_DEMOGRAPHICS, GENDER_DEMOGRAPHICS, PAYMENT_TYPES as WAYS } from "../../db/schema/values.ts";
import { AGES, GENDERS, nameIn, PAYMENT_TYPES, valuesIn } from "../../functions/console/core/closed.ts";

it.each([
  ["payment types", PAYMENT_TYPES, WAYS],
  ["ages", AGES, AGE_DEMOGRAPHICS],
  ["genders", GENDERS, GENDER_DEMOGRAPHICS],
])("names all %s", (_, names, values) => {
  expect(Object.keys(names)).toEqual([...values]);
});

it.each([
  ["applePay", "Apple Pay"],
  ["barter", "barter"],
  ["toString", "toString"],
])("names %s", (value, name) => {
  expect(nameIn(PAYMENT_TYPES, value)).toBe(name);
});

it("lists all values in their order, then those that are chosen and have no name", () => {
  expect(valuesIn(GENDERS, ["MIXED", "OTHER", "MALE"])).toEqual(["MALE", "FEMALE", "MIXED", "OTHER"]);
});
