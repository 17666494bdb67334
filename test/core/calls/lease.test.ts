import { beforeAll, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { underLease, type Duty } from "../../../functions/core/calls/lease.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let env: Env;

beforeAll(async () => {
  h = await sharedHarness();
  env = await h.env();
});

it("a duty reserves the subrequests that it has, and no more", async () => {
  const reserved: boolean[] = [];
  const duty: Duty = async (_, reserve) => {
    for (const wanted of [60, 41, 40, 1]) reserved.push(reserve(wanted));
  };
  await underLease(newId("request"), duty, 100)(env);
  expect(reserved).toEqual([true, false, true, false]);
});

it("a duty whose lease another run has does nothing, and one that failed gives its lease back", async () => {
  const name = newId("request");
  let runs = 0;
  const failing: Duty = async () => {
    runs += 1;
    await underLease(name, failing, 1)(env);
    throw new Error("failed");
  };
  await expect(underLease(name, failing, 1)(env)).rejects.toThrow("failed");
  expect(runs).toBe(1);
  await expect(underLease(name, failing, 1)(env)).rejects.toThrow("failed");
  expect(runs).toBe(2);
});
