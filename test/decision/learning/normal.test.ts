import { describe, expect, it } from "vitest";
import { normalQuantile, doubtTable, stepOf } from "../../../functions/decision/learning/normal.ts";

describe("normalQuantile", () => {
  it.each([
    [0.5, 0],
    [0.841_344_746_068_543, 1],
    [0.975, 1.959_963_984_540_054],
    [0.99, 2.326_347_874_040_841],
    [0.001, -3.090_232_306_167_813],
    [1e-6, -4.753_424_308_822_899],
  ])("at %f is %f", (probability, value) => {
    expect(normalQuantile(probability)).toBeCloseTo(value, 7);
  });
});

describe("the table of doubt", () => {
  it("is the upper half of a normal variable, and next to nothing below", () => {
    const table = [...doubtTable()];
    expect(table).toHaveLength(4_096);
    expect(table.slice(0, 2_048).every((z) => z < 0 && z > -0.01)).toBe(true);
    expect(table.every((z, i) => i === 0 || z > (table[i - 1] ?? 0))).toBe(true);
    expect((2 * table.reduce((sum, z) => sum + z * z, 0)) / 4_096).toBeCloseTo(1, 2);
  });

  it.each([
    [0, 0],
    [2 ** 20 - 1, 0],
    [2 ** 20, 1],
    [2 ** 32 - 1, 4_095],
  ])("is entered by the highest bits of a hash: %d at %d", (hash, step) => {
    expect(stepOf(hash)).toBe(step);
  });
});
