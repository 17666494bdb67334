import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hash32, mix32 } from "../../functions/core/hash.ts";
import { hash32Naively, mix32Naively } from "../support/naive/texts.ts";

const units = fc.array(fc.integer({ min: 0, max: 0xffff }));

describe("hash32", () => {
  // Test vectors of FNV-1a: http://www.isthe.com/chongo/src/fnv/test_fnv.c
  it.each([
    ["", 0x811c9dc5],
    ["a", 0xe40c292c],
    ["b", 0xe70c2de5],
    ["foobar", 0xbf9cf968],
  ])("of %j is FNV-1a's", (text, hash) => {
    expect(hash32(text)).toBe(hash);
  });

  it("is what integers of any size give", () => {
    fc.assert(
      fc.property(
        units.map((codes) => String.fromCharCode(...codes)),
        (text) => {
          expect(hash32(text)).toBe(hash32Naively(text));
        },
      ),
    );
  });

  it("differs wherever one character differs", () => {
    const character = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string(), character, character, fc.string(), (before, one, other, after) => {
        fc.pre(one !== other);
        expect(hash32(before + one + after)).not.toBe(hash32(before + other + after));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("mix32", () => {
  it("is what integers of any size give", () => {
    const hashes = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(hashes, hashes, (a, b) => {
        expect(mix32(a, b)).toBe(mix32Naively(a, b));
      }),
    );
  });

  it("answers 32 bits, of which any bit of either input flips about half", () => {
    let flipped = 0;
    let cases = 0;
    for (let a = 0; a < 200; a++) {
      const [one, two] = [hash32(`one ${a}`), hash32(`two ${a}`)];
      const mixed = mix32(one, two);
      expect(Number.isInteger(mixed) && mixed >= 0 && mixed < 2 ** 32).toBe(true);
      for (let bit = 0; bit < 32; bit++) {
        for (const other of [mix32(one ^ (1 << bit), two), mix32(one, two ^ (1 << bit))]) {
          flipped += ((mixed ^ other) >>> 0).toString(2).replaceAll("0", "").length;
          cases += 1;
        }
      }
    }
    expect(flipped / cases).toBeGreaterThan(15);
    expect(flipped / cases).toBeLessThan(17);
  });
});
