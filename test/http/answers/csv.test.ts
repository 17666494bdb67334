import { describe, expect, it } from "vitest";
import { csvLines, type Cell } from "../../../functions/http/answers/csv.ts";

const written = (columns: string[], rows: Record<string, Cell>[]): string => [...csvLines(columns, rows)].join("");

describe("CSV", () => {
  it("of nothing is the line of column names", () => {
    expect(written(["a", "b"], [])).toBe("a,b\r\n");
  });

  it.each([
    ["plain", "plain"],
    ["", ""],
    [null, ""],
    [0, "0"],
    [-1.5, "-1.5"],
    [0.000001, "0.000001"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["two\r\nlines", '"two\r\nlines"'],
    [" padded ", " padded "],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t'=1"],
    ["\r=1", "\"'\r'=1\""],
    ["\n=1", "\"'\n'=1\""],
    ["a;=1", "a;'=1"],
    ["a;'=1", "a;''=1"],
    ["a\t@b", "a\t'@b"],
    ["one\n\n- two", '"one\n\n\'- two"'],
    ["a;b; -1", "a;b; -1"],
    ['=HYPERLINK("x",1)', '"\'=HYPERLINK(""x"",1)"'],
    ["a=1", "a=1"],
    ["＝1+1", "'＝1+1"],
  ])("writes %j as %j", (value, text) => {
    expect(written(["a"], [{ a: value }])).toBe(`a\r\n${text}\r\n`);
  });

  it("keeps the order of columns, and leaves a missing cell empty", () => {
    expect(written(["b", "a", "c"], [{ a: 1, b: 2 }])).toBe("b,a,c\r\n2,1,\r\n");
  });
});
