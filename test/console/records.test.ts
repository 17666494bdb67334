import { describe, expect, it } from "vitest";
import { readParts, recordsOf } from "../../functions/console/core/records.ts";

const named = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`);

describe("lines of CSV", () => {
  it.each([
    ["nothing", "", []],
    ["ends of both kinds", "a,b\r\nc,d\n", ["a,b\r\n", "c,d\n"]],
    ["a last line without an end", "a\nb", ["a\n", "b"]],
    ["a line break within quotes", 'a,"one\ntwo"\nb', ['a,"one\ntwo"\n', "b"]],
    ["a line break within quotes at the very beginning", '"one\ntwo",a\nb', ['"one\ntwo",a\n', "b"]],
    ["a quote within quotes", 'a,"say ""no""\nagain"\nb\n', ['a,"say ""no""\nagain"\n', "b\n"]],
  ])("are cut at %s", (_, text, records) => {
    expect(recordsOf(text)).toEqual(records);
  });
});

describe("all lines of what comes in parts", () => {
  it.each([0, 1, 2, 3, 4, 5, 7, 9])("are %d, each once", async (n) => {
    const read = (skip: number) => Promise.resolve(named(n).slice(skip, skip + 3));
    expect(await readParts(read, 3)).toEqual(named(n));
  });

  it("are unknown where one went meanwhile", async () => {
    let left = named(7);
    const read = (skip: number) => {
      const part = left.slice(skip, skip + 3);
      left = left.slice(1);
      return Promise.resolve(part);
    };
    expect(await readParts(read, 3)).toBe(null);
  });
});
