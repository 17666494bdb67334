import { afterAll, beforeAll, expect, it } from "vitest";
import { makeInventory, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it("keeps what factories make in the order it was made in, by id and by time", async () => {
  const { site, placement } = await makeInventory(h.db);
  const made = [placement.id];
  while (made.length < 200) made.push((await makePlacement(h.db, site.id)).id);
  const sorted = async (order: string) => {
    const sql = `select id from placements where site_id = $1 order by ${order}`;
    return (await h.rows<{ id: string }>(sql, [site.id])).map(({ id }) => id);
  };
  expect(await sorted("id")).toEqual(made);
  expect(await sorted("created_at, id desc")).toEqual(made);
});
