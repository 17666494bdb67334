import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../db/core/time.ts";
import { makeInventory } from "../support/factories.ts";
import { findings } from "../support/browser/axe.ts";
import { newCustomer } from "../support/browser/launch.ts";
import { eventually, openStore, type Store } from "../support/browser/store.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

type Seen = { page: Page; problems: string[] };

/** Opens a page of the documentation; `problems` lists what the browser's console and the page itself complain of. */
const open = async (path: string, colorScheme: "light" | "dark" = "light", width = 1_280): Promise<Seen> => {
  const context = await newCustomer(store.browser, { colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  // A service that is no demo has no file of its tokens, which the browser mentions.
  page.on("console", (line) => line.type() === "error" && !line.text().includes("404") && problems.push(line.text()));
  await page.goto(store.h.url + path);
  return { page, problems };
};

const OPERATION = "/docs#/Sites/createSite";

describe("the documentation", () => {
  it.each([
    ["light", 1_280],
    ["dark", 390],
  ] as const)("has nothing that axe-core finds, in %s at %i pixels, and breaks no policy", async (scheme, width) => {
    for (const path of ["/docs", OPERATION, "/docs/errors", "/docs/looks", "/docs/get-offers"]) {
      const { page, problems } = await open(path, scheme, width);
      if (path.startsWith("/docs#") || path === "/docs") await page.locator(".opblock").first().waitFor();
      if (path === OPERATION) await page.locator(".opblock.is-open .execute").waitFor();
      expect([path, await findings(page)]).toEqual([path, []]);
      const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect([path, isWide, problems]).toEqual([path, false, []]);
      await page.context().close();
    }
  });

  it("names the service that shows it in commands and in lines for a page", async () => {
    for (const [path, line] of [
      ["/docs/start", `BASE=${store.h.url}\n`],
      ["/docs/get-offers", `src="${store.h.url}/embed.js"`],
      ["/docs/client", store.h.url],
    ] as const) {
      const { page, problems } = await open(path);
      await eventually(async () => (await page.locator("pre").allTextContents()).join("\n")).toContain(line);
      const text = await page.locator("main").innerText();
      expect([path, /127\.0\.0\.1:8787|offers\.example/.exec(text)?.[0], problems]).toEqual([path, undefined, []]);
      await page.context().close();
    }
  });

  it("keeps its headings on a small page where the text is twice as large", async () => {
    const { page } = await open("/docs/looks", "light", 360);
    const session = await page.context().newCDPSession(page);
    await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await eventually(() => page.evaluate("getComputedStyle(document.body).fontSize")).toBe("32px");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  it("lets an endpoint be tried with the keys that a demo has filled in", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const context = await newCustomer(store.browser);
    const page = await context.newPage();
    await page.route("**/console/demo.json", (route) =>
      route.fulfill({ json: [{ name: "Demo publisher", token: publisher.privateKey }] }),
    );
    await page.goto(`${store.h.url}/docs#/Sites/listSites`);
    await page.getByText("its keys are filled in").waitFor();
    const examples = page.locator(".opblock.is-open .examples");
    await eventually(() => examples.innerText()).toContain(`curl '${store.h.url}/api/site'`);
    await eventually(() => examples.innerText()).toContain("const { data } = await lanyap.listSites();");
    await eventually(() => examples.innerText()).toContain(`-H 'Authorization: Bearer ${publisher.privateKey}'`);
    await page.locator(".opblock.is-open .execute").click();
    await eventually(() => page.locator(".live-responses-table").innerText()).toContain(site.id);
    expect(
      await page.locator(".opblock.is-open .request-snippets, .opblock.is-open .curl-command").first().innerText(),
    ).toContain(publisher.privateKey);
  });

  it("fills in days that reports still reach", async () => {
    const { page } = await open("/docs#/Reports/getReport");
    const dateStart = page.locator('.opblock.is-open tr[data-param-name="dateStart"] input');
    await dateStart.waitFor();
    const day =
      /^(\d{4})(\d\d)(\d\d)$/
        .exec(await dateStart.inputValue())
        ?.slice(1)
        .join("-") ?? "";
    expect(Date.parse(day)).toBeGreaterThan(Date.now() - 30 * DAY_MS);
  });

  it("finds endpoints by their group, and opens them by keyboard", async () => {
    const { page } = await open("/docs");
    await page.locator(".opblock").first().waitFor();
    await page.getByPlaceholder(/filter/i).fill("Audit");
    await eventually(() => page.locator(".opblock-tag-section").count()).toBe(1);
    await page.locator(".opblock-summary-control").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".opblock.is-open").waitFor();
    expect(await page.locator(".opblock.is-open").count()).toBe(1);
  });
});
