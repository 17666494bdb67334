import { describe, expect, it } from "vitest";
import { armOf, ARMS } from "../../functions/decision/arms.ts";

describe("the arm of a session", () => {
  it.each([
    [0, 4, { "0": 0.99, "1": 0.01, "2": 0 }],
    [5, 4, { "0": 0.94, "1": 0.01, "2": 0.05 }],
    [5, 2, { "0": 0.94, "1": 0.01, "2": 0.05 }],
    [5, 1, { "0": 0.95, "1": 0, "2": 0.05 }],
    [50, 4, { "0": 0.49, "1": 0.01, "2": 0.5 }],
  ])("holds %s %% out, of answers of %s offers", (percent, count, shares) => {
    const arms = Array.from({ length: 100_000 }, (_, i) => armOf(`session-${i}`, count, percent));
    for (const [arm, share] of Object.entries(shares)) {
      expect(Math.abs(arms.filter((one) => one === arm).length / arms.length - share)).toBeLessThan(0.004);
    }
  });

  it("holds out what a smaller share would, too, and five in a hundred where a document does not say", () => {
    const sessions = Array.from({ length: 10_000 }, (_, i) => `${i}`);
    const few = sessions.filter((session) => armOf(session, 4, 5) === ARMS.holdout);
    expect(few.every((session) => armOf(session, 4, 50) === ARMS.holdout)).toBe(true);
    expect(few).toEqual(sessions.filter((session) => armOf(session, 4) === ARMS.holdout));
  });

  it("is random for one in a hundred, and stays the same", () => {
    const sessions = Array.from({ length: 100_000 }, (_, i) => `session-${i}`);
    const random = sessions.filter((session) => armOf(session, 4) === ARMS.random);
    expect(Math.abs(random.length / sessions.length - 0.01)).toBeLessThan(0.002);
    expect(random.every((session) => armOf(session, 4) === ARMS.random)).toBe(true);
  });
});
