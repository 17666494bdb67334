import { beforeAll, describe, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { holding } from "../../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Opens the page of an offer that is called Tea, come to from the list of offers. */
const visitOffer = async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
  const visited = await visitConsole(store, platform.token, "/console/offers");
  await visited.page.getByRole("link", { name: "Tea", exact: true }).click();
  await visited.page.getByRole("heading", { name: "Tea", level: 1 }).waitFor();
  return { ...visited, advertiser, offer };
};

/** Begins to delete the offer, by the keyboard, and holds the answer. */
const deleteLate = async () => {
  const visited = await visitOffer();
  const { page, offer } = visited;
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByLabel("Type its name to go on").fill("Tea");
  const held = await holding(page, `**/api/v1/offers/${offer.id}`);
  await page.getByRole("button", { name: "Delete or archive" }).focus();
  await page.keyboard.press("Enter");
  await held.asked;
  return { ...visited, ...held };
};

describe("a copy that is made late", () => {
  const MADE = /A paused copy is made/;

  it("leaves what is typed on another page, and leads to itself when it is asked to", async () => {
    const { page, offer, problems } = await visitOffer();
    const questions: string[] = [];
    page.on("dialog", async (question) => {
      questions.push(question.message());
      await question.accept();
    });
    const { asked, letGo } = await holding(page, /offers\/import/);
    await page.locator(".head").getByRole("button", { name: "Copy" }).click();
    await asked;
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    const share = page.getByLabel("The publisher’s part (%)");
    await share.fill("12");
    letGo();
    await page.getByText(MADE).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/offers/${offer.id}/edit`);
    expect(await share.inputValue()).toBe("12");
    expect(questions).toEqual([]);
    await page.getByRole("link", { name: "Show the copy" }).click();
    await page.getByRole("heading", { name: /^Tea.*copy/, level: 1 }).waitFor();
    expect(questions).toHaveLength(1);
    await eventually(() => page.getByText(MADE).count()).toBe(0);
    await eventually(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
    expect(problems).toEqual([]);
  });

  it("leaves a dialog that was opened meanwhile", async () => {
    const { page } = await visitOffer();
    const { asked, letGo } = await holding(page, /offers\/import/);
    await page.locator(".head").getByRole("button", { name: "Copy" }).click();
    await asked;
    await page.getByRole("button", { name: "Pause …" }).click();
    await page.getByLabel("Reason").fill("Sold out");
    letGo();
    await page.getByText(MADE).waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("Sold out");
  });
});

describe("a deletion that is answered late", () => {
  it("keeps its question, and the focus, until it is done", async () => {
    const { page, letGo, problems } = await deleteLate();
    const dialog = page.getByRole("dialog", { name: "Delete this offer?" });
    const cancel = dialog.getByRole("button", { name: "Cancel" });
    for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
    expect(await dialog.count()).toBe(1);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Delete or archive");
    expect(await cancel.getAttribute("aria-disabled")).toBe("true");
    await cancel.focus();
    await page.keyboard.press("Enter");
    expect(await dialog.count()).toBe(1);
    letGo();
    await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
    await page.getByText(/The offer is gone/).waitFor();
    expect(problems).toEqual([]);
  });

  it("may be cancelled again once it was refused", async () => {
    const { page, offer, letGo } = await deleteLate();
    await store.h.rows("delete from offers where id = $1", [offer.id]);
    letGo();
    await page.getByRole("alert").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Delete or archive");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("leaves what is typed where the browser’s button led away", async () => {
    const { page, letGo } = await deleteLate();
    await page.goBack();
    await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Advertisers", exact: true }).click();
    await page.getByRole("button", { name: "New advertiser" }).click();
    const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
    await name.fill("Typed for long");
    letGo();
    await page.getByText(/The offer is gone/).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/advertisers");
    expect(await name.inputValue()).toBe("Typed for long");
  });
});
