import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inPieces, rowsAsJson } from "../../../functions/http/answers/pieces.ts";

const written = (texts: Iterable<string>): Promise<string> => new Response(inPieces(texts)).text();

describe("a body of many texts", () => {
  it("has all of them in order, whatever their characters and lengths", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.nat(90_000).map((n) => "ü".repeat(n)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
        expect(await written(texts)).toBe(texts.join(""));
      }),
      { numRuns: 40 },
    );
  });

  it("makes a text when it is sent, not before", async () => {
    let made = 0;
    const texts = function* () {
      for (; made < 1_000; made++) yield "x".repeat(1_000);
    };
    const reader = inPieces(texts()).getReader();
    const first = await reader.read();
    // One piece is read, and one more may lie ready.
    expect(made).toBeLessThan(200);
    let length = first.value?.length ?? 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
    expect([made, length]).toEqual([1_000, 1_000_000]);
  });
});

it.each([[[]], [[{ a: 1 }]], [[{ a: "ü" }, { b: null }]]])("rows %j are the data of an answer", async (rows) => {
  expect(JSON.parse(await written(rowsAsJson(rows)))).toEqual({ success: true, data: rows });
});
