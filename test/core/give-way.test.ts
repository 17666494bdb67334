import { describe, expect, it } from "vitest";
import { giveWay } from "../../functions/core/give-way.ts";

describe("giveWay", () => {
  it("lets what waits have its turn, timers and requests alike", async () => {
    const done: string[] = [];
    setTimeout(() => done.push("timer"), 0);
    setImmediate(() => done.push("request"));
    await giveWay();
    expect(done.toSorted()).toEqual(["request", "timer"]);
  });
});
