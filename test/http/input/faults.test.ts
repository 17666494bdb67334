import * as z from "zod";
import { describe, expect, it } from "vitest";
import { faultsOf, parameterFaultsOf } from "../../../functions/http/input/faults.ts";
import { integer, oneOf, text, wholeParameter } from "../../../functions/http/input/fields.ts";

const several = z
  .array(oneOf(["A", "B"]), "must be an array")
  .min(1, "must not be empty")
  .max(2, "must have at most 2");
const schema = z.object({
  name: text(5)
    .refine((value) => !value.includes("?"), "must not ask")
    .optional(),
  count: integer(1, 3).optional(),
  kind: oneOf(["A", "B"]).optional(),
  several: several.optional(),
  take: wholeParameter(1, 100).optional(),
});
const errorOf = (input: unknown) => {
  const { error } = schema.safeParse(input);
  if (!error) throw new Error("nothing is wrong");
  return error;
};
const told = (faults: { path: string; message: string }[]) => faults.map(({ path, message }) => `${path}: ${message}`);

describe("what is wrong with a body", () => {
  it.each<[unknown, string]>([
    [{ name: [] }, "name: must be a string"],
    [{ name: Array(9).fill("x") }, "name: must be a string"],
    [{ name: "" }, "name: must not be empty"],
    [{ name: "long? long?" }, "name: must have at most 5 characters"],
    [{ count: "7" }, "count: must be a number"],
    [{ several: "AB" }, "several: must be an array"],
    [{ several: "ABCD" }, "several: must be an array"],
    [{ several: ["C"] }, "several.0: must be one of A, B"],
    [null, ": Invalid input: expected object, received null"],
  ])("%j is told once", (input, problem) => {
    expect(told(faultsOf(errorOf(input)))).toEqual([problem]);
  });

  it("is told of every value", () => {
    expect(told(faultsOf(errorOf({ name: "?", count: 1.5, several: ["C", "D"] })))).toEqual([
      "name: must not ask",
      "count: must be an integer",
      "several.0: must be one of A, B",
      "several.1: must be one of A, B",
    ]);
  });
});

describe("what is wrong with parameters", () => {
  it.each<[unknown, string[]]>([
    [{ name: ["a", "b"] }, ["name: must be given once"]],
    [{ kind: ["A", "A"], take: ["1", "2"] }, ["kind: must be given once", "take: must be given once"]],
    [{ several: ["A", "C"] }, ["several.1: must be one of A, B"]],
    [{ take: "x" }, ["take: must be an integer"]],
  ])("%j is that one comes several times, where it may not", (input, problems) => {
    expect(told(parameterFaultsOf(errorOf(input), input))).toEqual(problems);
  });
});
