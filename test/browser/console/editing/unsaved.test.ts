import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("a form that is not saved asks before it is left, and tells what no offer may have", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
  const { page, problems } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const asked: string[] = [];
  let isLeaving = false;
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await (isLeaving ? dialog.accept() : dialog.dismiss());
  });
  const share = page.getByLabel("Publisher’s share (%)");
  await share.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(() => page.evaluate("document.activeElement.type")).toBe("number");
  await share.fill("60");
  await page.getByLabel("Starts").fill("12026-01-01T10:00");
  await page.getByText("This is not a valid date").waitFor();
  await page.getByLabel("Starts").fill("2026-01-01T10:00");
  await eventually(() => page.getByText("This is not a valid date").count()).toBe(0);

  await page.getByRole("link", { name: "Advertisers", exact: true }).click();
  await eventually(() => Promise.resolve(asked)).toEqual(["confirm"]);
  await page.evaluate("history.back()");
  await eventually(() => Promise.resolve(asked)).toEqual(["confirm", "confirm"]);
  await page.evaluate("location.reload()");
  await eventually(() => Promise.resolve(asked)).toEqual(["confirm", "confirm", "beforeunload"]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await eventually(() => Promise.resolve(asked.length)).toBe(4);
  expect(new URL(page.url()).pathname).toBe(`/console/offers/${offer.id}/edit`);
  expect(await share.inputValue()).toBe("60");
  isLeaving = true;
  await page.getByRole("link", { name: "Advertisers", exact: true }).click();
  await page.getByRole("heading", { name: "Advertisers", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Offers", exact: true }).click();
  await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
  expect(asked).toHaveLength(5);
  const stored = await store.h.rows("select publisher_share_bps as share from offers where id = $1", [offer.id]);
  expect(stored).toEqual([{ share: offer.publisherShareBps }]);
  expect(problems).toEqual([]);
});

it("what may be lacking is taken away by emptying its field, and a field that cannot be emptied says so", async () => {
  const { publisher, site } = await makeInventory(store.h.db, {
    publisher: { contactPhone: "+49 30 1" },
    site: { description: "Trees", domain: "trees.example", orderVolume: 5, ageDemographics: "AGE_25_34" },
  });
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const dialog = page.getByRole("dialog");
  const wrong = dialog.getByText("This can be changed, but not left empty");
  const save = dialog.getByRole("button", { name: "Save" });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await dialog.getByLabel("Contact’s phone").fill("");
  await dialog.getByLabel("Contact’s name").fill("");
  await wrong.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel("Contact’s name").fill("Robin");
  await save.click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Sites", exact: true }).click();
  await page.getByRole("link", { name: site.name }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  for (const label of ["Description", "Domain", "Orders per month"]) await dialog.getByLabel(label).fill("");
  await dialog.getByLabel("Customers’ age").selectOption("");
  await save.click();
  await dialog.waitFor({ state: "detached" });
  const stored = await store.h.rows(
    `select contact_name, contact_phone, description, domain, order_volume, age_demographics
     from sites s join publishers p on p.id = s.publisher_id where s.id = $1`,
    [site.id],
  );
  expect(stored).toEqual([
    {
      contact_name: "Robin",
      contact_phone: null,
      description: null,
      domain: null,
      order_volume: null,
      age_demographics: null,
    },
  ]);
});

it("a filled form asks before Escape or Cancel closes it, and one without changes does not", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  const asked: string[] = [];
  let isLeaving = false;
  page.on("dialog", async (question) => {
    asked.push(question.message());
    await (isLeaving ? question.accept() : question.dismiss());
  });
  const dialog = page.getByRole("dialog", { name: "New site" });
  await page.getByRole("button", { name: "New site" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "New site" }).click();
  const name = dialog.getByLabel("Name", { exact: true });
  await name.fill("Typed for long");
  for (const times of [1, 2, 3]) {
    await page.keyboard.press("Escape");
    await eventually(() => Promise.resolve(asked.length)).toBe(times);
  }
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await eventually(() => Promise.resolve(asked.length)).toBe(4);
  expect(await name.inputValue()).toBe("Typed for long");
  expect(new Set(asked)).toEqual(new Set(["What is not saved here will be lost. Leave anyway?"]));
  isLeaving = true;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(asked).toHaveLength(5);
});

it("a reason that was typed asks before Escape or Cancel closes its question, and nothing is switched", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
  const { page, problems } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
  let questions = 0;
  let isLeaving = false;
  page.on("dialog", async (question) => {
    questions += 1;
    await (isLeaving ? question.accept() : question.dismiss());
  });
  const dialog = page.getByRole("dialog");
  const open = () => page.getByRole("button", { name: "Pause …" }).click();
  await open();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(questions).toBe(0);
  await open();
  await dialog.getByLabel("Reason").fill("Sold out");
  await page.keyboard.press("Escape");
  await eventually(() => Promise.resolve(questions)).toBe(1);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await eventually(() => Promise.resolve(questions)).toBe(2);
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("Sold out");
  isLeaving = true;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(questions).toBe(3);
  const status = () => store.h.rows("select status from offers where id = $1", [offer.id]);
  expect(await status()).toEqual([{ status: "active" }]);
  await open();
  await dialog.getByLabel("Reason").fill("Sold out");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(questions).toBe(3);
  await eventually(status).toEqual([{ status: "paused" }]);
  expect(problems).toEqual([]);
});

it("Cancel of an offer's page asks once something was typed", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}/edit`);
  let questions = 0;
  page.on("dialog", async (question) => {
    questions += 1;
    await (questions === 1 ? question.dismiss() : question.accept());
  });
  await page.getByLabel("Publisher’s share (%)").fill("12");
  await page.getByRole("button", { name: "Cancel" }).click();
  await eventually(() => Promise.resolve(questions)).toBe(1);
  expect(await page.getByLabel("Publisher’s share (%)").inputValue()).toBe("12");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Tea", level: 1 }).waitFor();
  expect(questions).toBe(2);
});

it("signing out in place of signing in again asks first, where a form behind is not saved", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Description").fill("Typed for an hour");
  await store.h.rows("update api_tokens set expires_at = now() where publisher_id = $1", [publisher.id]);
  // What the page still reads may ask for the token first, and stand before the button.
  await page.getByRole("button", { name: "Save" }).dispatchEvent("click");
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.waitFor();
  page.once("dialog", (asked) => asked.dismiss());
  await again.getByRole("button", { name: "Sign out instead" }).click();
  await again.waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("Typed for an hour");
  page.once("dialog", (asked) => asked.accept());
  await again.getByRole("button", { name: "Sign out instead" }).click();
  await again.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Lanyap console" }).waitFor();
});
