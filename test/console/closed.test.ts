import { expect, it } from "vitest";
import { AGE_DEMOGRAPHICS, GENDER_DEMOGRAPHICS, PAYMENT_TYPES as WAYS } from "../../db/schema/values.ts";
import { AGES, GENDERS, nameIn, PAYMENT_TYPES } from "../../functions/console/core/closed.ts";

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
