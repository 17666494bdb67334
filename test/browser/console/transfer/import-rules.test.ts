import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { findings } from "../../../support/browser/axe.ts";
import { attempt, chooseRows, makeOwner, makeRows, offersOf, visitImport } from "../../../support/browser/importing.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { lines } from "../../../support/transfers.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const card = (page: Page, name: string) => page.getByRole("region", { name });

describe("what is wrong", () => {
  it("is copied and saved, with the rows that are to be mended", async () => {
    const { platform, advertiser } = await makeOwner(store);
    const rows = await makeRows(store, advertiser.id);
    const { page } = await visitImport(store, platform.token);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await chooseRows(page, "offers.jsonl", lines(...rows));
    await attempt(page);
    const refused = page.getByRole("group", { name: "Refused rows" });
    await refused.getByRole("button", { name: "Copy the problems" }).click();
    await refused.getByText("Copied").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toMatch(/^Row 3 \(=Wrong\): .*title: .*\n$/);
    const saved = async (button: string) => {
      const coming = page.waitForEvent("download");
      await refused.getByRole("button", { name: button }).click();
      const file = await coming;
      return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
    };
    expect(await saved("Save the problems")).toEqual(["refused.txt", copied]);
    expect(await saved("Save the refused rows")).toEqual(["refused.ndjson", lines(rows[2])]);
  });

  it("is not to be left out where nothing else is there", async () => {
    const { platform, advertiser } = await makeOwner(store);
    const [, , wrong] = await makeRows(store, advertiser.id);
    const { page } = await visitImport(store, platform.token);
    await chooseRows(page, "offers.jsonl", lines(wrong));
    await attempt(page);
    await page.getByText(/1 row of 1 is refused\. Fix what is wrong/).waitFor();
    expect(await page.getByText("let the other rows be taken").count()).toBe(0);
  });

  it.each([
    [
      "more rows than are taken",
      "many.csv",
      `name\n${"Tea\n".repeat(1_001)}`,
      "This has 1,001 rows, and at most 1,000 are taken at once.",
    ],
    [
      "a file that is too large",
      "large.csv",
      `name\n${"T".repeat(4 * 1024 * 1024)}`,
      "This is 4.1 MB; at most 4 MB are taken at once.",
    ],
    ["another encoding", "latin.csv", Buffer.from("name\nCaf\xe9\n", "latin1"), "This is not UTF-8 text"],
    ["no rows", "empty.csv", "name\n", "This has no rows."],
  ])("is told of %s before anything is sent", async (_, name, text, problem) => {
    const { platform } = await makeOwner(store);
    const { page, problems } = await visitImport(store, platform.token);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.method()));
    await chooseRows(page, name, text);
    await page.getByRole("alert").filter({ hasText: problem }).waitFor();
    expect(await page.getByRole("button", { name: "Try it first" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Try it first" }).click({ force: true });
    expect(await findings(page)).toEqual([]);
    expect(sent.filter((method) => method === "POST")).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("is told of a whole file: a column that there is not", async () => {
    const { platform } = await makeOwner(store);
    const { page } = await visitImport(store, platform.token);
    await chooseRows(page, "odd.csv", "nr;name\n1;Tea\n");
    await attempt(page);
    await page.getByRole("alert").getByText('line 1: "nr" is no column').first().waitFor();
    await page.getByRole("alert").getByText("VALIDATION_FAILED").waitFor();
    expect(await card(page, "What would be done").count()).toBe(0);
  });
});

it("a thousand rows are shown a hundred at a time on a narrow window, and nothing is cut", async () => {
  const { platform, advertiser } = await makeOwner(store);
  const { page, problems } = await visitImport(store, platform.token, {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  const rows = Array.from({ length: 250 }, (_, n) => ({
    advertiserId: advertiser.id,
    name: n === 0 ? "W".repeat(255) : `Tea ${n}`,
  }));
  await chooseRows(page, `${"w".repeat(200)}.ndjson`, lines(...rows));
  await attempt(page);
  await page.getByText("250 rows would be refused.").waitFor();
  expect(await page.getByRole("rowheader").count()).toBe(100);
  await page.getByRole("button", { name: "Show 100 more" }).click();
  await page.getByRole("button", { name: "Show 50 more" }).click();
  await eventually(() => page.getByRole("rowheader").count()).toBe(250);
  await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("What would be done");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(await findings(page)).toEqual([]);
  expect(await offersOf(store, advertiser.id)).toEqual([]);
  expect(problems).toEqual([]);
});
