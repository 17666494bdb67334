import { afterAll, beforeAll, expect, it } from "vitest";
import { purgeOldRows } from "../../functions/events/removing.ts";
import { startHarness, type Harness } from "../support/harness.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it("a table whose old rows cannot be removed does not keep those of others", async () => {
  await h.rows("insert into counted_repeats select 'r' || n, now() - interval '500 days' from generate_series(1, 9) n");
  await h.rows("alter table erasures rename column erased_at to other");
  await purgeOldRows(await h.env(), () => true);
  expect(await h.count("counted_repeats")).toBe(0);
});
