import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, shorten } from "../../functions/http/shorten.ts";

const LIMIT = 200;
const size = (value: unknown) => JSON.stringify(value).length;
const details = fc.oneof(
  fc.array(fc.string({ unit: "binary", maxLength: 400 }), { maxLength: 60 }),
  fc.dictionary(fc.constantFrom("field", "value", "invalidFields"), fc.jsonValue({ maxDepth: 3 })),
);

describe("details of an error", () => {
  it("stay as they are while they are short, and are never much longer than allowed", () => {
    fc.assert(
      fc.property(details, (given) => {
        const shown = shorten(given, LIMIT);
        if (size(given) <= LIMIT) return shown === given;
        return size(shown) <= LIMIT + 60;
      }),
      { seed: 1, numRuns: 2_000 },
    );
    expect(shorten(["name: is required"], LIMIT)).toEqual(["name: is required"]);
  });

  it("keep the first entries of a list, and say how many more there are", () => {
    const problems = Array.from({ length: 500 }, (_, i) => `targeting.countries.${i}: must be a country`);
    const shown = shorten(problems, LIMIT) as string[];
    expect(shown.slice(0, 2)).toEqual(problems.slice(0, 2));
    expect(shown.at(-1)).toBe(`and ${500 - (shown.length - 1)} more`);
  });

  it("call no entry too long that only finds no room", () => {
    const entries = Array.from({ length: 50 }, (_, i) => ({
      field: `targeting.countries.${i}`,
      message: "must be one",
    }));
    const shown = shorten({ invalidFields: entries }, LIMIT) as unknown as { invalidFields: unknown[] };
    const kept = shown.invalidFields.slice(0, -1);
    expect(kept).toEqual(entries.slice(0, kept.length));
    expect(shown.invalidFields.at(-1)).toBe(`and ${entries.length - kept.length} more`);
    expect(size(shown)).toBeLessThanOrEqual(LIMIT + 60);
  });

  it("show what was sent cut, or not at all when it is no text", () => {
    expect(shorten({ field: "status", value: "x".repeat(10_000), expectedType: "active" }, LIMIT)).toEqual({
      field: "status",
      value: expect.stringMatching(/^x+…$/) as unknown,
      expectedType: "active",
    });
    expect(shorten({ value: { text: "x".repeat(10_000) } }, LIMIT)).toEqual({
      value: "a value that is too long to be shown",
    });
  });
});

describe("a message", () => {
  it("is cut to its length, between characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 1_000 }), fc.integer({ min: 10, max: 300 }), (text, limit) => {
        const shown = cut(text, limit);
        return size(text) <= limit ? shown === text : size(shown) <= limit && shown.isWellFormed();
      }),
      { seed: 2, numRuns: 1_000 },
    );
    expect(cut("short", 10)).toBe("short");
  });
});
