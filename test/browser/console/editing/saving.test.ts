import { beforeAll, describe, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { holding } from "../../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform, makePublisher } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const BANKING = "Finance > Banking";

/** Opens the editor of an offer for one category, as its platform. */
const visitEditor = async () => {
  const platform = await makePlatform(store.h.db);
  const { site } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const [category] = await store.h.rows<{ id: string }>("select id from categories where name = $1", [BANKING]);
  const offer = await makeOffer(store.h.db, advertiser.id, {
    name: "Tea",
    includeSites: [site.id],
    categoryIds: [category?.id ?? ""],
  });
  const visited = await visitConsole(store, platform.token, `/console/offers/${offer.id}/edit`);
  const { page } = visited;
  return { ...visited, offer, name: page.getByLabel("Name", { exact: true }), address: `**/api/v1/offers/${offer.id}` };
};

const storedOffer = (id: string) => store.h.rows("select name, pricing, category_ids from offers where id = $1", [id]);

describe("between sending a form and the answer that closes it", () => {
  it("nothing is typed, chosen or taken away, which would be lost", async () => {
    const { page, offer, name, address, problems } = await visitEditor();
    await name.fill("Green tea");
    const { asked, letGo } = await holding(page, address);
    await name.press("Enter");
    await asked;
    await page.keyboard.type(" from Assam");
    await page.getByLabel("Paid for").focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("button", { name: `Remove category ${BANKING}` }).click({ force: true });
    expect(await name.inputValue()).toBe("Green tea");
    expect(await page.getByLabel("Paid for").inputValue()).toBe(offer.pricing);
    expect(await page.getByRole("button", { name: /^Remove category / }).count()).toBe(1);
    letGo();
    await page.getByRole("heading", { name: "Green tea", level: 1 }).waitFor();
    expect(await storedOffer(offer.id)).toEqual([
      { name: "Green tea", pricing: offer.pricing, category_ids: offer.categoryIds },
    ]);
    expect(problems).toEqual([]);
  });

  it("no box is ticked", async () => {
    const platform = await makePlatform(store.h.db);
    const publisher = await makePublisher(store.h.db, { platformId: platform.id });
    const { page } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
    await page.getByRole("region", { name: "Tokens" }).getByRole("button", { name: "Change" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Change the token" });
    await dialog.getByLabel("Name").fill("For the shop");
    const gross = dialog.getByLabel("Its reports show what advertisers owe");
    const { asked, letGo } = await holding(page, `**/api/v1/publishers/${publisher.id}/api-tokens/*`);
    await dialog.getByLabel("Name").press("Enter");
    await asked;
    await gross.click({ force: true });
    expect(await gross.isChecked()).toBe(false);
    letGo();
    await dialog.waitFor({ state: "detached" });
    const tokens = "select name, gross_access from api_tokens where publisher_id = $1";
    expect(await store.h.rows(tokens, [publisher.id])).toEqual([{ name: "For the shop", gross_access: false }]);
  });

  it("the focus stays, and goes on where the form was refused", async () => {
    const { page, name, address } = await visitEditor();
    const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
    await name.fill("Green tea");
    await page.route(address, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
    await name.press("Enter");
    await page.getByText("Something failed").waitFor();
    await page.keyboard.type(", loose");
    expect(await name.inputValue()).toBe("Green tea, loose");
  });
});

it("a form that was opened since another was left is not closed by the answer to that one", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  page.on("dialog", (question) => question.accept());
  const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
  await page.getByRole("button", { name: "New site" }).click();
  await name.fill("Made late");
  const { asked, letGo } = await holding(page, "**/api/site");
  await name.press("Enter");
  await asked;
  await page.keyboard.press("Escape");
  await name.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New site" }).click();
  await name.fill("Typed since");
  letGo();
  await page.getByText("The site was created.").waitFor();
  expect(await name.inputValue()).toBe("Typed since");
  expect(await store.h.count("sites where publisher_id = $1 and name = 'Made late'", [publisher.id])).toBe(1);
});

it("what is tried again says so until it is answered, and may be tried again then", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey);
  const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
  const keys = page.getByRole("region", { name: "Public keys" });
  await page.route("**/public-keys", (route) => route.fulfill({ status: 500, json: { success: false, error } }));
  await page.getByRole("link", { name: "Account and keys" }).click();
  const again = keys.getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute("**/public-keys");
  const { asked, letGo } = await holding(page, "**/public-keys");
  await again.focus();
  await page.keyboard.press("Enter");
  await asked;
  await eventually(() => page.evaluate("document.activeElement.textContent")).toBe("Trying …");
  letGo();
  await keys.getByText(publisher.publicKey).waitFor();
  expect(await keys.getByRole("alert").count()).toBe(0);
});
