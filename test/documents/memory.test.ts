import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentKey } from "../../db/documents/keys.ts";
import { DocumentMemory, textBytes } from "../../functions/documents/memory.ts";

const LIMITS = { entries: 5, bytes: 100 };
const LARGE = { from: 101, entries: 2, bytes: 300 };
const makeMemory = () => new DocumentMemory({ usual: LIMITS, large: LARGE });
const document = { builtAt: 0, value: null };
const keyOf = (n: number): DocumentKey => `placement:${n}`;

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ set: fc.nat(9), bytes: fc.nat(60) }) },
    fc.record({ remove: fc.nat(9) }),
  ),
  { maxLength: 60 },
);

describe("the memory of documents", () => {
  it("never exceeds its limits, and keeps what was set last", () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const memory = makeMemory();
        let model: { key: DocumentKey; bytes: number }[] = [];
        for (const step of taken) {
          const key = keyOf("set" in step ? step.set : step.remove);
          model = model.filter((entry) => entry.key !== key);
          if ("set" in step) {
            memory.set(key, document, step.bytes, 0);
            model.push({ key, bytes: step.bytes });
            const total = () => model.reduce((sum, entry) => sum + entry.bytes, 0);
            while (model.length > LIMITS.entries || total() > LIMITS.bytes) model.shift();
          } else memory.delete(key);
          for (let n = 0; n < 10; n++) {
            const held = model.find((entry) => entry.key === keyOf(n));
            expect(memory.get(keyOf(n))?.bytes).toBe(held?.bytes);
          }
        }
      }),
    );
  });

  it("holds a document that fills it alone, and none that is larger", () => {
    const memory = makeMemory();
    memory.set("network", document, 10, 0);
    memory.set(keyOf(1), document, 100, 0);
    expect([memory.get("network"), memory.get(keyOf(1))?.bytes]).toEqual([undefined, 100]);
    memory.set(keyOf(2), document, 301, 0);
    expect([memory.get(keyOf(1))?.bytes, memory.get(keyOf(2))]).toEqual([100, undefined]);
  });

  it("lets large documents push out each other alone", () => {
    const memory = makeMemory();
    memory.set("network", document, 10, 0);
    for (const n of [1, 2, 3]) memory.set(keyOf(n), document, 150, 0);
    const held = () => ["network", ...[1, 2, 3].map(keyOf)].map((key) => memory.get(key as DocumentKey)?.bytes);
    expect(held()).toEqual([10, undefined, 150, 150]);
    memory.set(keyOf(3), document, 50, 0);
    memory.set("network", document, 120, 0);
    expect(held()).toEqual([120, undefined, 150, 50]);
    memory.delete("network");
    memory.set(keyOf(1), document, 150, 0);
    expect(held()).toEqual([undefined, 150, 150, 50]);
  });

  it.each([
    ["", 0],
    ["plain", 5],
    ["Füße", 4],
    ["“quoted”", 16],
    ["漢字", 4],
  ])("counts what %j takes", (text, bytes) => {
    expect(textBytes(text)).toBe(bytes);
  });

  it("knows since when a document is current", () => {
    const memory = makeMemory();
    memory.set("network", document, 1, 10);
    memory.set("network", document, 2, 20);
    expect(memory.get("network")).toEqual({ document, bytes: 2, readAt: 20 });
  });
});
