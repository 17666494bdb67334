import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { newId } from "../../../../db/core/ids.ts";
import { findings } from "../../../support/browser/axe.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { attempt, chooseRows, makeOwner, makeRows, offersOf, visitImport } from "../../../support/browser/importing.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeOffer, offerBody } from "../../../support/factories.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { lines } from "../../../support/transfers.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const named = (page: Page) => page.getByRole("rowheader").allInnerTexts();
const card = (page: Page, name: string) => page.getByRole("region", { name });

describe("offers are brought in", () => {
  it("after a try that writes nothing, and the others where a row is refused", async () => {
    const { platform, advertiser } = await makeOwner(store);
    const rows = await makeRows(store, advertiser.id);
    const { page, problems } = await visitConsole(store, platform.token, "/console/offers");
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await chooseRows(page, "offers.ndjson", lines(...rows));
    await page.getByText("offers.ndjson: 3 rows of JSON").waitFor();
    await attempt(page);
    const tried = card(page, "What would be done");
    await tried.getByText("0 offers would be created, 0 would be changed, 1 row would be refused").waitFor();
    await tried.getByText("Nothing would be imported, because 1 row of 3 is refused.").waitFor();
    await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("What would be done");
    expect(await tried.getByRole("button", { name: /^Import/ }).count()).toBe(0);
    expect(await named(page)).toEqual(["Row 3\n=Wrong"]);
    await tried.getByText(/^title: /).waitFor();
    await tried.getByText(/^bidMicros: /).waitFor();
    expect(await findings(page)).toEqual([]);

    await page.getByLabel("When a row is refused").selectOption("others");
    expect(await tried.count()).toBe(0);
    await attempt(page);
    await tried.getByText("1 offer would be created, 1 would be changed, 1 row would be refused.").waitFor();
    await tried.getByLabel("Show").selectOption("");
    expect((await named(page)).map((text) => text.split("\n")[0])).toEqual(["Row 1", "Row 2", "Row 3"]);
    const [before] = await offersOf(store, advertiser.id);
    expect(await offersOf(store, advertiser.id)).toEqual([before]);

    await tried.getByRole("button", { name: "Import 2 offers …" }).click();
    const dialog = page.getByRole("dialog", { name: "Import 2 offers?" });
    await dialog.getByText("Rows that are refused are left out.").waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await offersOf(store, advertiser.id)).toEqual([before]);
    await tried.getByRole("button", { name: "Import 2 offers …" }).click();
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    const done = card(page, "What was done");
    await done.getByText("1 offer created, 1 changed, 1 row refused.").waitFor();
    await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("What was done");
    expect(await findings(page)).toEqual([]);
    expect(await offersOf(store, advertiser.id)).toEqual([
      { name: "Before", title: "Newer", status: "active" },
      { name: "New tea", title: offerBody("").title, status: "active" },
    ]);
    await done.getByLabel("Show").selectOption("created");
    await done.getByRole("link", { name: "New tea" }).click();
    await page.getByRole("heading", { name: "New tea", level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  it.each([
    ["CSV", ","],
    ["cells of a spreadsheet", "\t"],
  ])("from %s, pasted, as new offers of one advertiser, by the administrator", async (_form, between) => {
    const { advertiser } = await makeOwner(store);
    const { page, problems } = await visitImport(store, SECRETS.ADMIN_TOKEN);
    const { name: _, ...body } = offerBody("", { status: "paused" });
    const texts = Object.entries(body).filter(([, value]) => typeof value !== "object");
    const cells = texts.map(([, value]) => `"${String(value)}"`);
    const rows = [
      ["name", ...texts.map(([column]) => column)],
      ['"Tea, green"', ...cells],
      ['"متجر"', ...cells],
    ];
    const csv = rows.map((row) => `${row.join(between)}\n`).join("");
    await page.getByLabel("Or paste rows").fill(csv);
    await page.getByText("Pasted text: 2 rows of CSV").waitFor();
    await page.getByLabel("Whose offers they are").selectOption("one");
    expect(await page.getByRole("button", { name: "Try it first" }).isDisabled()).toBe(true);
    await page
      .getByLabel("Part of the advertiser’s name")
      .or(page.getByLabel("Advertiser", { exact: true }))
      .first()
      .waitFor();
    const search = page.getByLabel("Part of the advertiser’s name");
    if ((await search.count()) > 0) await search.fill(advertiser.name);
    await page.getByLabel("Advertiser", { exact: true }).selectOption(advertiser.id);
    await attempt(page);
    await page.getByRole("button", { name: "Import 2 offers …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
    await card(page, "What was done").getByText("2 offers created, 0 changed, 0 rows refused.").waitFor();
    const { title } = offerBody("");
    expect(await offersOf(store, advertiser.id)).toEqual([
      { name: "Tea, green", title, status: "paused" },
      { name: "متجر", title, status: "paused" },
    ]);
    expect(await page.getByLabel("Or paste rows").inputValue()).toBe("");
    expect(problems).toEqual([]);
  });

  it("from a file that is dropped, and those of another are refused row by row", async () => {
    const [own, other] = [await makeOwner(store), await makeOwner(store)];
    const foreign = await makeOffer(store.h.db, other.advertiser.id, { name: "Foreign", status: "paused" });
    const { page } = await visitImport(store, own.platform.token);
    const text = lines(offerBody(other.advertiser.id), { id: foreign.id, title: "Mine" }, { id: newId("offer") });
    const transfer = await page.evaluateHandle(
      "((text) => { const all = new DataTransfer(); all.items.add(new File([text], 'dropped.ndjson')); return all })(" +
        `${JSON.stringify(text)})`,
    );
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
    await page.getByText("dropped.ndjson: 3 rows of JSON").waitFor();
    await page.getByLabel("When a row is refused").selectOption("others");
    await attempt(page);
    const tried = card(page, "What would be done");
    await tried.getByText("0 offers would be created, 0 would be changed, 3 rows would be refused.").waitFor();
    expect(await tried.getByText(/RESOURCE_NOT_FOUND/).count()).toBe(3);
    expect(await tried.getByRole("button", { name: /^Import/ }).count()).toBe(0);
    expect(await offersOf(store, other.advertiser.id)).toEqual([
      { name: "Foreign", title: foreign.title, status: "paused" },
    ]);
    expect(await offersOf(store, own.advertiser.id)).toEqual([]);
  });
});

describe("when no answer comes", () => {
  it("nothing is lost: the same is sent again, and done once", async () => {
    const { platform, advertiser } = await makeOwner(store);
    const { page } = await visitImport(store, platform.token);
    await chooseRows(page, "offers.ndjson", lines(offerBody(advertiser.id, { name: "Once" })));
    await attempt(page);
    const keys: (string | undefined)[] = [];
    await page.route(/\/offers\/import\?atomic=true$/, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 2) return route.continue();
      // The service does it, and its answer is lost on the way.
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Import 1 offer …" }).click();
    const dialog = page.getByRole("dialog", { name: "Import 1 offer?" });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByText("It is not known whether anything was imported.").waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Send the same again" }).click();
    await eventually(() => Promise.resolve(keys.length)).toBe(2);
    await dialog.getByText("It is not known whether anything was imported.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("It is not known whether the rows of offers.ndjson were taken").waitFor();
    expect(await findings(page)).toEqual([]);
    let asked = 0;
    page.on("dialog", async (question) => {
      asked += 1;
      await question.dismiss();
    });
    await page.getByRole("link", { name: "Advertisers", exact: true }).click();
    await eventually(() => Promise.resolve(asked)).toBe(1);
    await page.getByRole("button", { name: "Discard it and start over" }).click();
    await eventually(() => Promise.resolve(asked)).toBe(2);
    await page.getByRole("button", { name: "Send the same again …" }).click();
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    const done = card(page, "What was done");
    await done.getByText("1 offer created, 0 changed, 0 rows refused.").waitFor();
    await done.getByText("It was done when it was first sent, and is not done again.").waitFor();
    expect(keys[0]).toMatch(/\S/);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(await offersOf(store, advertiser.id)).toHaveLength(1);
    await page.getByRole("link", { name: "Advertisers", exact: true }).click();
    await page.getByRole("heading", { name: "Advertisers", level: 1 }).waitFor();
    expect(asked).toBe(2);
  });
});
