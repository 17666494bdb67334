import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLines, withoutGuard } from "../../functions/http/answers/csv.ts";
import { parseCsv, separatorOf } from "../../functions/core/csv.ts";

describe("CSV", () => {
  it.each<[string, string[][]]>([
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["\uFEFFa,b", [["a", "b"]]],
    ['"a,""b""\r\nc",d', [['a,"b"\r\nc', "d"]]],
    [
      "a,\r\n\r\n,b\r\n",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ['"",a', [["", "a"]]],
    ["", []],
  ])("%j is read by RFC 4180", (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  it.each([
    ['a\nb,"c', "line 2: a quote is never closed"],
    ['a\nb,c"d', "line 2: a cell that holds quotes must be quoted, and they doubled"],
    ['a\r\n\r\n"b\r\nc"\r\nd"', "line 5: a cell that holds quotes must be quoted, and they doubled"],
    ['"a"b,c', "line 1: text behind a closing quote"],
    ['"a\nb"\n"c"d', "line 3: text behind a closing quote"],
    ["a\rb", "line 1: a line break must be quoted"],
  ])("%j is none", (text, problem) => {
    expect(() => parseCsv(text)).toThrow(problem);
  });

  it.each([
    ["a,b;c\td", ","],
    ["a;b\n1,2;3", ";"],
    ['\r\n"a"\t"b"\n1,2\t3;4', "\t"],
    ["a\n1;2", ","],
    ["", ","],
  ])("%j names what stands between its cells: %j", (text, separator) => {
    expect(separatorOf(text)).toBe(separator);
  });

  it.each([
    ['a;b\n"1;5";2,5', ";", ["1;5", "2,5"]],
    ['a\tb\n"1\t5"\t2;5', "\t", ["1\t5", "2;5"]],
  ] as const)("%j is read with other separators", (text, separator, row) => {
    expect(parseCsv(text, undefined, separator)).toEqual([["a", "b"], row]);
    const problem = "line 1: text behind a closing quote";
    expect(() => parseCsv('"a",b', undefined, separator)).toThrow(problem);
  });

  it("is read no further than asked, whatever is behind", () => {
    expect(parseCsv('a\n\nb\n"c', 2)).toEqual([["a"], ["b"]]);
    expect(parseCsv("a\nb", 5)).toEqual([["a"], ["b"]]);
  });

  it("brings back what was written, formulas too, which stay texts for spreadsheets", () => {
    const piece = fc.constantFrom("", "'", "''", "=", "+", "-", "@", "'=", "＝", "\t", ";", "\n", "\r");
    const cell = fc.array(fc.oneof(piece, fc.string())).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.array(fc.record({ a: cell, b: cell }), { minLength: 1 }), (rows) => {
        const text = [...csvLines(["a", "b"], rows)].join("");
        const [, ...read] = parseCsv(text).map((cells) => cells.map(withoutGuard));
        // A line of one empty cell is no line, but these have two.
        expect(read).toEqual(rows.map(({ a, b }) => [a, b]));
        for (const line of parseCsv(text)) {
          for (const written of line) expect(written).not.toMatch(/^[=+\-@＝\t]|[;\t\r\n][=+\-@＝]/);
        }
      }),
    );
  });
});
