import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePercent } from "../../../functions/http/input/percent.ts";

const marked = (encoded: string) => `<${encoded}>`;

describe("decodePercent", () => {
  it.each([
    ["a+b%20c", "a b c"],
    ["%C3%BC%e2%82%ac", "ü€"],
    ["50%", "50%"],
    ["%4+%zz%%41", "%4 %zz%A"],
    ["M%FCller", "M<%FC>ller"],
    ["%C3%BC%FC x %ff", "<%C3%BC%FC> x <%ff>"],
    ["%ed%a0%80", "<%ed%a0%80>"],
    ["%00", "\0"],
    ["", ""],
  ])("of %j is %j", (text, decoded) => {
    expect(decodePercent(text, marked)).toBe(decoded);
  });

  it("reads back what forms write", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const written = new URLSearchParams({ a: text }).toString().slice(2);
        expect(decodePercent(written, marked)).toBe(text.toWellFormed());
      }),
    );
  });
});
