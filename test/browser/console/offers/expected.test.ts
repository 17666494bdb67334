import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { percent } from "../../../../functions/console/core/format.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { openStore } from "../../../support/browser/store.ts";
import { CUSTOMER, explaining } from "../../../support/explaining.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { deliverSome, learn } from "../../../support/learning/learn.ts";

// The cron learns here, and other tests look at what it has done.
let h: Harness;
let browser: Browser;
beforeAll(async () => {
  [h, { browser }] = await Promise.all([startHarness(), openStore()]);
});
afterAll(() => h.close());

const { explain } = explaining(() => h);

it("what is expected of an offer is shown with what it comes from, and said in words", async () => {
  const platform = await makePlatform(h.db);
  const { publisher, site, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(h.db, { platformId: platform.id });
  const offer = async (name: string, pricing: "CPC" | "CPM") =>
    makeOffer(h.db, advertiser.id, { name, pricing, includeSites: [site.id] });
  const [clicked] = [await offer("Paid by the click", "CPC"), await offer("Paid by the view", "CPM")];
  await deliverSome(h, { placementId: placement.id, offerId: clicked.id }, 100, 10);
  await learn(h);
  await h.rows(
    "update rate_offers set shifted_on = '2026-11-20', shift_ratio = 0.41, shifted_creative = 1 where offer_id = $1",
    [clicked.id],
  );
  const { offers } = await explain(placement.id);
  const expectation = offers.find(({ offerId }) => offerId === clicked.id)?.expectation;
  if (!expectation?.rate) throw new Error("nothing is expected");
  const { rate, exposure } = expectation;
  const asked = new URLSearchParams({ placementId: placement.id, country: "US", sessionId: CUSTOMER.sessionId });
  const { page, problems } = await visitConsole({ h, browser }, platform.token, `/console/explain?${asked.toString()}`);
  const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  const clickedRow = row("Paid by the click");
  const [expected, low, high] = [rate.expected, rate.low, rate.high].map((share) =>
    percent(share, { locale: "en-US" }),
  );
  await clickedRow.getByText(`${expected}${low} to ${high}from ${Math.round(exposure)} impressions`).waitFor();
  await clickedRow.getByText("clicked 59% less than before, found on Fri, Nov 20").waitFor();
  expect(await row("Paid by the view").getByRole("cell").nth(1).innerText()).toBe("–");
  await page.getByText("“Expected” is how often an impression here is paid for.").waitFor();
  await page.getByText("The score is drawn for this session").waitFor();
  expect(await findings(page)).toEqual([]);
  expect(problems).toEqual([]);
  const { page: own } = await visitConsole(
    { h, browser },
    publisher.privateKey,
    `/console/explain?${asked.toString()}`,
  );
  await own.getByText("“Expected” is how often an impression here is paid for.").waitFor();
  // A token that may not see what advertisers pay sees no score.
  expect(await own.getByText("The score is").count()).toBe(0);
});
