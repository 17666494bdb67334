import { expect, it } from "vitest";
import { makeInventory, makePlacement } from "../../support/factories.ts";
import { sharedHarness } from "../../support/harness.ts";

it("keeps what factories make in the order it was made in, by id and by time", async () => {
  const h = await sharedHarness();
  const { site, placement } = await makeInventory(h.db);
  const made = [placement.id];
  while (made.length < 200) made.push((await makePlacement(h.db, site.id)).id);
  const sorted = async (order: string) => {
    const sql = `select id from placements where site_id = $1 order by ${order}`;
    return (await h.rows<{ id: string }>(sql, [site.id])).map(({ id }) => id);
  };
  expect(await sorted("id")).toEqual(made);
  // Rows of one time sort the other way here, so that none can pass by its id alone.
  expect(await sorted("created_at, id desc")).toEqual(made);
});
