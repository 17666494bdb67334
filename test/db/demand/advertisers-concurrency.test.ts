import { afterAll, beforeAll, expect, it } from "vitest";
import { NameTakenError } from "../../../db/core/errors.ts";
import { updateAdvertiser } from "../../../db/demand/advertisers.ts";
import { makeAdvertiser } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it("advertisers that take each other's names do so one after the other, and none of them deadlocks", async () => {
  const both = [await makeAdvertiser(h.db), await makeAdvertiser(h.db)];
  const names = both.map(({ name }) => name);
  const renamings = Array.from({ length: 60 }, (_, i) =>
    updateAdvertiser(h.db, { kind: "admin" }, both[i % 2]?.id ?? "", { name: names[(i >> 1) % 2] ?? "" }),
  );
  const outcomes = await Promise.allSettled(renamings);
  const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  expect(failures.filter((failure) => !(failure instanceof NameTakenError))).toEqual([]);
  expect(failures.length).toBeLessThan(renamings.length);
});
