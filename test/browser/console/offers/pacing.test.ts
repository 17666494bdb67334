import { beforeAll, describe, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeOffer, makePlatform, makeUsage } from "../../../support/factories.ts";

const DAY = 86_400_000;

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Makes an offer half of whose time is over, with caps of a day and in all, of which one was used yesterday. */
const makeHalfway = async (pacing: "EVEN" | "ASAP") => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const now = Date.now();
  const offer = await makeOffer(store.h.db, advertiser.id, {
    pacing,
    dailyCap: 50,
    lifetimeCap: 800,
    createdAt: new Date(now - 10 * DAY),
    endsAt: new Date(now + 10 * DAY),
  });
  await makeUsage(store.h.db, offer.id, new Date(now - DAY).toISOString().slice(0, 10), 43);
  return { platform, offer };
};

describe("the plan of an offer of pacing EVEN", () => {
  it.each([
    [1280, "dark"],
    [390, "light"],
  ] as const)("is drawn beside its caps and in its editor, at %d pixels, %s", async (width, colorScheme) => {
    const { platform, offer } = await makeHalfway("EVEN");
    const options = { viewport: { width, height: 844 }, colorScheme };
    for (const path of [`offers/${offer.id}#caps`, `offers/${offer.id}/edit#price`]) {
      const { page, problems } = await visitConsole(store, platform.token, `/console/${path}`, options);
      const lifetime = page.getByRole("group", { name: "The plan from start to end", exact: true });
      await lifetime.getByText("By now 400 of 800 should have been used; 43 were.").waitFor();
      await lifetime.locator("canvas").waitFor();
      await lifetime.getByText("As a table").click();
      await lifetime.getByRole("cell", { name: "43", exact: true }).first().waitFor();
      expect(await lifetime.getByRole("cell", { name: "800", exact: true }).count()).toBe(1);
      const daily = page.getByRole("group", { name: "The plan for the day", exact: true });
      await daily.getByText(/^By now \d+ of 50 should have been used; 0 were\.$/).waitFor();
      await daily.locator("canvas").waitFor();
      await page.getByText("The plan follows the clock, until its usual traffic is known.").waitFor();
      await page.getByText("6.3% of sessions may see it now.").waitFor();
      await page.waitForLoadState("networkidle");
      expect([path, await findings(page)]).toEqual([path, []]);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
      expect([path, problems]).toEqual([path, []]);
    }
  });

  it("is not there for pacing ASAP, which has none", async () => {
    const { platform, offer } = await makeHalfway("ASAP");
    const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
    await page.getByText("Spent as fast as possible.").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("The plan").count()).toBe(0);
  });
});
