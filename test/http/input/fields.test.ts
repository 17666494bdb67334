import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  clearable,
  email,
  flagParameter,
  integer,
  longText,
  moment,
  number,
  oneOf,
  page,
  pageQuery,
  rotationBody,
  text,
  wholeParameter,
} from "../../../functions/http/input/fields.ts";

/** Returns what a schema makes of a value, or why it refuses it. */
const made = (schema: z.ZodType, value: unknown): unknown => {
  const { data, error } = schema.safeParse(value);
  return error ? error.issues.map(({ message }) => message).join() : data;
};

const ILL = "must not contain NUL or unpaired surrogates";

describe("a text", () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ["is trimmed", text(), " \n a b\t ", "a b"],
    ["has 255 characters", text(), "a".repeat(255), "a".repeat(255)],
    ["has no more than 255", text(), "a".repeat(256), "must have at most 255 characters"],
    ["has as many as are left after trimming", text(3), "  abc  ", "abc"],
    ["has no more than its most", text(3), "abcd", "must have at most 3 characters"],
    ["is not empty", text(), "  ", "must not be empty"],
    ["may be empty where that is said", text(3, 0), "  ", ""],
    ["has no lone surrogate", text(), "a\ud800b", ILL],
    ["may have pairs of surrogates", text(), "𠮷", "𠮷"],
    ["has no NUL", text(), "a\0b", ILL],
    ["is there", text(), undefined, "is required"],
    ["is no number", text(), 5, "must be a string"],
    ["is not null", text(), null, "must be a string"],
    ["has 2000 characters where it is long", longText(), "a".repeat(2_000), "a".repeat(2_000)],
    ["has no more than 2000", longText(), "a".repeat(2_001), "must have at most 2000 characters"],
    ["has one character where it is long", longText(), "a", "a"],
    ["is not empty where it is long", longText(), " ", "must not be empty"],
  ])("%s", (_, schema, value, expected) => {
    expect(made(schema, value)).toBe(expected);
  });
});

describe("a number", () => {
  it.each<[unknown, unknown, z.ZodType]>([
    [0, 0, number()],
    [0.5, 0.5, number()],
    [-0.1, "must be at least 0", number()],
    [2, 2, number(2)],
    ["1", "must be a number", number()],
    [undefined, "is required", number()],
    [0, 0, integer()],
    [-1, "must be at least 0", integer()],
    [1.5, "must be an integer", integer()],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, integer()],
    [Number.MAX_SAFE_INTEGER + 1, `must be at most ${Number.MAX_SAFE_INTEGER}`, integer()],
    [3, 3, integer(3, 5)],
    [5, 5, integer(3, 5)],
    [2, "must be at least 3", integer(3, 5)],
    [6, "must be at most 5", integer(3, 5)],
    ["3", 3, wholeParameter(3, 5)],
    ["5", 5, wholeParameter(3, 5)],
    ["-5", -5, wholeParameter(-5, 5)],
    ["2", "must be between 3 and 5", wholeParameter(3, 5)],
    ["6", "must be between 3 and 5", wholeParameter(3, 5)],
  ])("%#: %j becomes %j", (value, expected, schema) => {
    expect(made(schema, value)).toBe(expected);
  });

  it.each(["", " ", "4.0", "4e0", "0x4", "+4", "--4", "4 ", " 4", "4a", "a4", "٤"])("in a URL is not %j", (value) => {
    expect(made(wholeParameter(0, 9), value)).toContain("must be an integer");
  });
});

describe("a time", () => {
  it.each([
    ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20T12:00:00.5+02:30", "2026-11-20T09:30:00.500Z"],
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["3000-01-01T00:59:59+01:00", "2999-12-31T23:59:59.000Z"],
  ])("%s is %s", (value, expected) => {
    expect(made(moment(), value)).toEqual(new Date(expected));
  });

  it.each([
    ["1969-12-31T23:59:59Z", "must be in the years 1970 to 2999 of UTC"],
    ["0999-12-31T23:59:59Z", "must be in the years 1970 to 2999 of UTC"],
    ["2999-12-31T23:59:59-00:01", "must be in the years 1970 to 2999 of UTC"],
    ["2026-11-20T12:00:00", "must be an ISO 8601 time with its zone"],
    ["2026-02-30T12:00:00Z", "must be an ISO 8601 time with its zone"],
    ["2026-11-20", "must be an ISO 8601 time with its zone"],
    ["0999", "must be an ISO 8601 time with its zone"],
    [1_700_000_000_000, "must be an ISO 8601 time with its zone"],
  ])("is not %j", (value, problem) => {
    expect(made(moment(), value)).toBe(problem);
  });
});

describe("a list's page", () => {
  it("has 50 from the first where nothing is said, and at most 100", () => {
    expect(made(pageQuery(), {})).toEqual({ skip: 0, take: 50 });
    expect(made(pageQuery(), { skip: "7", take: "100" })).toEqual({ skip: 7, take: 100 });
    expect(made(page().take, "101")).toBe("must be between 1 and 100");
    expect(made(page().take, "0")).toBe("must be between 1 and 100");
    expect(made(page().skip, "-1")).toBe(`must be between 0 and ${Number.MAX_SAFE_INTEGER}`);
  });
});

describe("other fields", () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ["a value of a list", oneOf(["a", "b"]), "b", "b"],
    ["a value of no list", oneOf(["a", "b"]), "c", "must be one of a, b"],
    ["no value of a list", oneOf(["a", "b"]), undefined, "is required"],
    ["a switch in a URL", flagParameter(), "false", "false"],
    ["no switch in a URL", flagParameter(), undefined, undefined],
    ["a switch in a URL that is a number", flagParameter(), "1", "must be true or false"],
    ["an address", email(), " a@b.example ", "a@b.example"],
    ["an address without a domain", email(), "a@b", "must be a valid e-mail address"],
    ["an address that is too long", email(), `${"a".repeat(250)}@b.example`, "must have at most 255 characters"],
  ])("%s", (_, schema, value, expected) => {
    expect(made(schema, value)).toBe(expected);
  });

  it("may be cleared by null where a change admits it", () => {
    const members = z.object({ name: text(), weight: integer() });
    expect(made(clearable(members), { name: null, weight: null })).toEqual({ name: null, weight: null });
    expect(made(clearable(members), { name: " a ", weight: -1 })).toBe("must be at least 0");
    expect(made(members, { name: null, weight: null })).toBe("must be a string,must be a number");
  });

  it.each([
    [{}, { overlapSeconds: 0 }],
    [{ overlapSeconds: 2_592_000 }, { overlapSeconds: 2_592_000 }],
    [{ overlapSeconds: 2_592_001 }, "must be at most 2592000"],
    [{ overlapSeconds: -1 }, "must be at least 0"],
  ])("of a rotation: %j becomes %j", (value, expected) => {
    expect(made(rotationBody(), value)).toEqual(expected);
  });
});
