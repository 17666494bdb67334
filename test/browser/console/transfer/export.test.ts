import { readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { parseCsv } from "../../../../functions/core/csv.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeOffer, makeOffers, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const saved = async (page: Page, button: string): Promise<{ name: string; text: string }> => {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
};

const idsOf = async (advertiserId: string, status: string): Promise<string[]> => {
  const sql = "select id from offers where advertiser_id = $1 and status = $2 order by created_at, id";
  return (await store.h.rows<{ id: string }>(sql, [advertiserId, status])).map(({ id }) => id);
};

it("saves all offers that the list's filters let through, in one file of CSV or of lines of JSON", async () => {
  const platform = await makePlatform(store.h.db);
  const [own, other] = [
    await makeAdvertiser(store.h.db, { platformId: platform.id }),
    await makeAdvertiser(store.h.db, { platformId: platform.id }),
  ];
  const description = 'Says "yes",\nand a second line';
  for (let part = 0; part < 5; part += 1)
    await makeOffers(store.h.db, own.id, 500, () => ({ status: "paused", description }));
  await makeOffer(store.h.db, own.id);
  await makeOffer(store.h.db, other.id, { status: "paused" });
  const address = `/console/offers?advertiserId=${own.id}&status=paused`;
  const { page, problems } = await visitConsole(store, platform.token, address);
  await page.getByText("1–25 of 2,500").waitFor();
  const ids = await idsOf(own.id, "paused");
  expect(ids).toHaveLength(2_500);

  const csv = await saved(page, "Export CSV");
  expect(csv.name).toBe("offers.csv");
  const [head = [], ...rows] = parseCsv(csv.text);
  expect(rows.map((cells) => cells[head.indexOf("id")])).toEqual(ids);
  expect(new Set(rows.map((cells) => cells[head.indexOf("description")]))).toEqual(new Set([description]));
  await page.getByText("offers.csv has 2,500 offers.").waitFor();

  const lines = await saved(page, "Export JSON lines");
  expect(lines.name).toBe("offers.ndjson");
  const offers = lines.text.trimEnd().split("\n");
  expect(offers.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids);

  await page.getByLabel("Status").selectOption("active");
  await page.getByText("1–1 of 1").waitFor();
  expect(parseCsv((await saved(page, "Export CSV")).text).slice(1)).toHaveLength(1);
  expect(problems).toEqual([]);
});

it("begins again where an offer goes while the parts are read, and says so where they never stay", async () => {
  const platform = await makePlatform(store.h.db);
  const { id } = await makeAdvertiser(store.h.db, { platformId: platform.id });
  for (let part = 0; part < 2; part += 1) await makeOffers(store.h.db, id, 501, () => ({ status: "paused" }));
  const { page } = await visitConsole(store, platform.token, `/console/offers?advertiserId=${id}&status=paused`);
  await page.getByText("1–25 of 1,002").waitFor();
  let times = 0;
  let most = 1;
  await page.route("**/offers/export?*", async (route) => {
    const isFurther = new URL(route.request().url()).searchParams.get("skip") !== "0";
    if (isFurther && times < most) {
      times += 1;
      const [first = ""] = await idsOf(id, "paused");
      await store.h.rows("update offers set status = 'archived' where id = $1", [first]);
    }
    await route.continue();
  });
  const { text } = await saved(page, "Export CSV");
  expect(
    parseCsv(text)
      .slice(1)
      .map(([first]) => first),
  ).toEqual(await idsOf(id, "paused"));
  expect(times).toBe(1);
  await makeOffers(store.h.db, id, 200, () => ({ status: "paused" }));
  most = 10;
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.getByText("The file could not be made: Offers changed while they were read. Try again").waitFor();
  expect(times).toBe(4);
});
