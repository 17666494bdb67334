import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentKey } from "../../db/documents/keys.ts";
import { DocumentMemory } from "../../functions/documents/memory.ts";

const LIMITS = { entries: 5, bytes: 100 };
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
        const memory = new DocumentMemory(LIMITS);
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
    const memory = new DocumentMemory(LIMITS);
    memory.set("network", document, 10, 0);
    memory.set(keyOf(1), document, 100, 0);
    expect([memory.get("network"), memory.get(keyOf(1))?.bytes]).toEqual([undefined, 100]);
    memory.set(keyOf(2), document, 101, 0);
    expect([memory.get(keyOf(1)), memory.get(keyOf(2))]).toEqual([undefined, undefined]);
    memory.set(keyOf(3), document, 100, 0);
    expect(memory.get(keyOf(3))?.bytes).toBe(100);
  });

  it("knows since when a document is current", () => {
    const memory = new DocumentMemory(LIMITS);
    memory.set("network", document, 1, 10);
    memory.set("network", document, 2, 20);
    expect(memory.get("network")).toEqual({ document, bytes: 2, readAt: 20 });
  });
});
