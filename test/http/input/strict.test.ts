import * as z from "zod";
import { describe, expect, it } from "vitest";
import { strayMembers, unknownMembers, unknownParameters } from "../../../functions/http/input/strict.ts";

const inner = () => z.object({ a: z.string() });
const schema = z.object({
  plain: inner(),
  optional: inner().partial().nullish(),
  list: z.array(inner()).optional(),
  filled: inner().default({ a: "b" }),
  turned: inner().transform(({ a }) => a),
  text: z.string(),
});

describe("unknownMembers", () => {
  it.each([
    [{ plain: { a: "x" }, text: "y" }, []],
    [{ more: 1, plain: {} }, ["more"]],
    [{ plain: { a: 1, b: { c: 2 } } }, ["plain.b"]],
    [{ optional: { b: 1 } }, ["optional.b"]],
    [{ list: [{ a: 1 }, { b: 1 }, 5] }, ["list.1.b"]],
    [{ filled: { b: 1 }, turned: { b: 1 } }, ["filled.b", "turned.b"]],
    [JSON.parse('{"__proto__": {"plain": 1}, "constructor": 1}'), ["__proto__", "constructor"]],
    [{ text: { a: 1 }, plain: "x", list: { a: 1 }, optional: null }, []],
    [[{ more: 1 }], []],
    ["text", []],
    [null, []],
  ])("of %j are %j", (value, paths) => {
    expect(unknownMembers(schema, value)).toEqual(paths);
  });

  it("leaves out what is known beside the schema, at the first level", () => {
    const value = { id: 1, plain: { id: 1 } };
    expect(unknownMembers(schema, value, ["id"])).toEqual(["plain.id"]);
  });
});

describe("unknownParameters", () => {
  it.each([
    ["", []],
    ["?", []],
    ["?take=1&", []],
    ["?take=1&take=2&sort=a&sort=b", ["sort"]],
    ["?ta%6be=1&%00=1&a+b", ["\0", "a b"]],
    ["?__proto__=1&constructor=1", ["__proto__", "constructor"]],
  ])("of %s are %j", (query, names) => {
    expect(unknownParameters(`https://a.example/x${query}`, ["take", "skip"])).toEqual(names);
  });
});

describe("strayMembers", () => {
  it.each([
    ["", []],
    [" \n", []],
    ["{}", []],
    ['{"a": 1, "b": {}}', ["a: is not known", "b: is not known"]],
    ["[]", ["body: must be empty"]],
    ["null", ["body: must be empty"]],
    ["a=b", ["body: must be empty"]],
  ])("of %j are %j", (text, problems) => {
    expect(strayMembers(text)).toEqual(problems);
  });
});
