import { describe, expect, it } from "vitest";
import { giveWay } from "../../../functions/core/calls/give-way.ts";

describe("giveWay", () => {
  it("lets what waits have its turn", async () => {
    let done = false;
    setTimeout(() => (done = true), 0);
    await giveWay();
    expect(done).toBe(true);
  });
});
