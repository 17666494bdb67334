import { beforeAll, describe, expect, it } from "vitest";
import { openStore, untilLogged, type Store } from "../../support/browser/store.ts";

describe("the language of offers", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it.each([
    ["tr", "tr", "en", "İNDİRİM"],
    ["pt_BR", "pt-BR", "en", "INDIRIM"],
    ["de-AT", "de-AT", "de", "INDIRIM"],
  ])(
    "is what the page asks for, also where the script has no words in it: %s",
    async (locale, ofOffers, ofFrame, title) => {
      const data = { templateConfig: { textConfig: { titleTransform: "uppercase" } } };
      const asked = await store.placement(1, { placement: { data } });
      const visit = await store.show({ ...asked, count: 1, locale });
      const { page } = visit;
      await untilLogged(page, "onShow 0");
      // Browsers choose letters by the language: a Turkish i keeps its dot, and Japanese has characters of its own.
      await page.locator("h2").evaluate((heading) => heading.replaceChildren("indirim"));
      expect(await page.locator("h2").innerText()).toBe(title);
      expect(await page.locator("article").getAttribute("lang")).toBe(ofOffers);
      expect(await page.locator("article .quiet").getAttribute("lang")).toBe(ofFrame);
      expect(await page.locator("#offers section").getAttribute("lang")).toBe(ofFrame);
      await store.expectCounted(asked, visit, { impressions: 1 });
    },
  );
});
