import { describe, expect, it } from "vitest";
import { sourceOf } from "../../functions/console/screens/import/source.ts";
import { problemsText, refusedText, sumOf, type Outcome } from "../../functions/console/screens/import/told.ts";

const read = (text: string) => {
  const source = sourceOf(text);
  if ("problem" in source) throw new Error(source.problem);
  return source;
};

describe("rows of what is brought in", () => {
  it.each([
    [
      "lines of JSON",
      '{"name":"Tea"}\n\n{"name":"Coffee"}',
      "application/x-ndjson",
      '{"name":"Tea"}\n{"name":"Coffee"}\n',
    ],
    [
      "a list of JSON",
      '[{"name":"Tea"},\n{"name":"Coffee"}]',
      "application/x-ndjson",
      '{"name":"Tea"}\n{"name":"Coffee"}\n',
    ],
    ["CSV", "id,name\r\n,Tea\r\n\r\n,Coffee", "text/csv", "id,name\r\n,Tea\r\n\r\n,Coffee"],
    ["CSV behind a byte order mark", "\uFEFFname\nTea\nCoffee\n", "text/csv", "name\nTea\nCoffee\n"],
  ])("are read of %s", (_, written, form, text) => {
    const source = read(written);
    expect([source.form, source.text]).toEqual([form, text]);
    expect(source.rows.map(({ name }) => name)).toEqual(["Tea", "Coffee"]);
  });

  it("are one offer that is written over several lines, and lines that are no JSON have no names", () => {
    expect(read('{\n "name": "Tea"\n}').rows).toEqual([{ name: "Tea", text: '{"name":"Tea"}\n' }]);
    expect(read('{"name":"Tea"}\n{oops}\n').rows.map(({ name }) => name)).toEqual(["Tea", ""]);
  });

  const line = `${JSON.stringify({ name: "é".repeat(100) })}\n`;
  it.each([
    ["nothing", "", "This has no rows."],
    ["no rows", "id,name\n", "This has no rows."],
    [
      "too many rows",
      "{}\n".repeat(1_001),
      "This has 1,001 rows, and at most 1,000 are taken at once. Import it in parts.",
    ],
    ["too many bytes", line.repeat(20_000), "This is 4.1 MB; at most 4 MB are taken at once. Import it in parts."],
    ["a quote without its end", 'id,name\n,"Tea', "This is neither CSV nor JSON: line 2: a quote is never closed."],
  ])("are not sent of %s", (_, written, problem) => {
    expect(sourceOf(written)).toEqual({ problem });
  });
});

it("rows of CSV are counted as the service counts them: a line of blanks is one, an empty line is none", () => {
  const { head, rows } = read('name\r\nTea\r\n \t\r\n\r\n""\nCoffee\n');
  expect(head).toBe("name\r\n");
  expect(rows).toEqual([
    { name: "Tea", text: "Tea\r\n" },
    { name: " \t", text: " \t\r\n" },
    { name: "Coffee", text: "Coffee\n" },
  ]);
});

describe("what became of rows", () => {
  const rows: Outcome["data"]["rows"] = [
    { row: 1, status: "created", id: "ofr_1" },
    { row: 2, status: "refused", id: null, error: { code: "RESOURCE_NOT_FOUND", message: "There is no such offer" } },
    {
      row: 3,
      status: "refused",
      id: null,
      error: { code: "VALIDATION_FAILED", message: "Wrong: title: a; bid: b", details: ["title: a", "bid: b"] },
    },
  ];
  const outcomeOf = (text: string, given: Partial<Outcome> = {}): Outcome => ({
    source: read(text),
    how: { isAtomic: false, isCopy: false, copyTo: "" },
    isDone: false,
    isReplayed: false,
    data: { created: 1, updated: 0, refused: 2, rows },
    ...given,
  });

  it("is told in a sentence", () => {
    expect(sumOf(outcomeOf("name\na\nb\nc"))).toBe(
      "1 offer would be created, 0 would be changed, 2 rows would be refused.",
    );
    expect(sumOf(outcomeOf("name\na\nb\nc", { isDone: true }))).toBe("1 offer created, 0 changed, 2 rows refused.");
  });

  it("is listed for the refused ones, which are given back as they were sent", () => {
    const outcome = outcomeOf('id,name\n,Tea\nofr_9,Coffee\n,"Co\ncoa"');
    expect(problemsText(outcome)).toBe(
      "Row 2 (Coffee): There is no such offer (RESOURCE_NOT_FOUND)\nRow 3 (Co\ncoa): title: a; bid: b\n",
    );
    expect(refusedText(outcome)).toBe('id,name\nofr_9,Coffee\n,"Co\ncoa"\n');
    expect(refusedText(outcomeOf('{"name":"Tea"}\n{"a":1}\n{"b":2}'))).toBe('{"a":1}\n{"b":2}\n');
  });
});
