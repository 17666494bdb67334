import { beforeAll, describe, expect, it } from "vitest";
import { scriptTag } from "../support/browser/markup.ts";
import { thankYouPage } from "../support/browser/shop.ts";
import {
  eventually,
  logOf,
  openStore,
  styleOf,
  untilDrawn,
  untilLogged,
  type Store,
} from "../support/browser/store.ts";

const HOSTILE_CSS = `<style>
  @property --accent { syntax: "<color>"; inherits: false; initial-value: red }
  @property --bg { syntax: "<color>"; inherits: false; initial-value: red }
  html { font-size: 62.5% !important }
  * { display: none !important; color: red !important; font: 40px cursive !important; all: unset }
  html, body, main, #offers { display: block !important }
  div { position: absolute !important; left: -9999px !important; opacity: 0 !important; transform: scale(0) !important }
  #offers { position: static !important; opacity: 1 !important; transform: none !important }
  a, button { pointer-events: none !important; visibility: hidden !important }
</style>`;

const HOSTILE_SCRIPT = `<script>
  Object.freeze(Array.prototype);
  Object.freeze(Object.prototype);
  Object.freeze(Element.prototype);
</script>`;

describe("offers in a hostile page", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it("look and work as anywhere under styles that hide everything", async () => {
    const asked = await store.placement();
    const plain = await store.show(asked);
    const hostile = await store.show(asked, { head: HOSTILE_CSS });
    const sizes = await Promise.all(
      [plain, hostile].map(async ({ page }) => {
        await untilLogged(page, "onShow 0");
        return page.evaluate<number[]>(`(() => {
          const { shadowRoot } = document.querySelector("#offers > div");
          const { width, height } = shadowRoot.querySelector(".card").getBoundingClientRect();
          const { fontSize, color } = getComputedStyle(shadowRoot.querySelector("h2"));
          const { backgroundColor } = getComputedStyle(shadowRoot.querySelector("a.button"));
          return [Math.round(height), fontSize, color, backgroundColor, width > 0];
        })()`);
      }),
    );
    expect(sizes[1]).toEqual(sizes[0]);
    await hostile.page.getByRole("button", { name: "No, thanks" }).click();
    await untilLogged(hostile.page, "onView 1");
    await untilDrawn(plain.page);
    await plain.page.goto("about:blank");
    await store.expectCounted(
      asked,
      {
        ...hostile,
        get beacons() {
          return [...plain.beacons, ...hostile.beacons];
        },
      },
      { impressions: 3, closes: 1 },
    );
  });

  it("stay hidden where the page hides them, and come with the rest of it", async () => {
    const asked = await store.placement(1);
    const head = `<style>
      main { visibility: hidden; pointer-events: none }
      .open main { visibility: visible; pointer-events: auto }
    </style>`;
    const visit = await store.show({ ...asked, count: 1 }, { head });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    const decline = page.getByRole("button", { name: "No, thanks", includeHidden: true });
    expect(await decline.isVisible()).toBe(false);
    expect(await styleOf(page, ".decline", "pointerEvents")).toBe("none");
    await page.evaluate("document.documentElement.classList.add('open')");
    await decline.click();
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1 });
  });

  it("work with frozen prototypes, and leave one global behind", async () => {
    const asked = await store.placement();
    const before = `<script>window.before = new Set(Object.getOwnPropertyNames(window))</script>`;
    const visit = await store.show(asked, { head: HOSTILE_SCRIPT + before });
    await untilLogged(visit.page, "onShow 0");
    await visit.page.getByRole("button", { name: "No, thanks" }).click();
    const added = await visit.page.evaluate<string[]>(
      `Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && !["before", "log", "handle"].includes(name))`,
    );
    expect(added).toEqual(["Lanyap"]);
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });

  it("end without an error where the page took them away, and an old library removes elements in its own way", async () => {
    const asked = await store.placement(1);
    const head = `<script>
      Element.prototype.remove = function () { this.parentNode.removeChild(this); return this };
    </script>`;
    const { page, errors } = await store.show({ ...asked, count: 1 }, { head });
    await untilLogged(page, "onShow 0");
    await page.evaluate(`document.querySelector("#offers").textContent = ""; handle.destroy()`);
    expect(errors).toEqual([]);
  });

  it("need no more of a Content-Security-Policy than the notes say, and no inline styles", async () => {
    const asked = await store.placement();
    const { url } = store.h;
    const policy = `default-src 'none'; script-src 'unsafe-inline' ${url}; connect-src ${url}; img-src ${url}; require-trusted-types-for 'script'`;
    const visit = await store.show(asked, { headers: { "content-security-policy": policy } });
    const blocked: string[] = [];
    visit.page.on("console", (message) => blocked.push(message.text()));
    await untilLogged(visit.page, "onView 0");
    const iconWidth = () => visit.page.locator(".icon").evaluate((icon) => Reflect.get(icon, "naturalWidth") as number);
    await eventually(iconWidth).toBeGreaterThan(0);
    expect(await styleOf(visit.page, ".card", "borderTopWidth")).toBe("1px");
    expect(blocked).toEqual([]);
    await store.expectCounted(asked, visit, { impressions: 1, viewables: 1 });
  });

  it("survive callbacks that throw, and a script that is there twice", async () => {
    const asked = await store.placement();
    const script = `<script src="${store.h.url}/embed.js"></script>`;
    const throws = "() => { throw new Error('mine') }";
    const init = `<script>window.log = []; Lanyap.init({ ...${JSON.stringify(asked)}, count: 2, container: "#offers",
      attributes: { "at.orderid": 5, phone: null }, onReady: ${throws}, onView: ${throws}, onClose: ${throws},
      onShow: (offer, index) => log.push("onShow " + index) })</script>`;
    const visit = await store.visit(thankYouPage(`<div id="offers"></div>${script}${script}${init}`));
    await untilLogged(visit.page, "onShow 0");
    await visit.page.getByRole("button", { name: "No, thanks" }).click();
    expect(await logOf(visit.page)).toBe("onShow 0, onShow 1");
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });

  it.each([
    ["", {}],
    // The browser makes an element a global by its id; an attribute of places may be on the script by mistake.
    [`<p id="Lanyap">Our partners</p>`, { lanyap: "" }],
  ])("appear once, right behind a script that is there twice with no place: %s", async (content, attributes) => {
    const { publicKey, placementId } = await store.placement(1);
    const keys = { "public-key": publicKey, "placement-id": placementId, "at-orderid": "7", count: "1", ...attributes };
    const visit = await store.visit(thankYouPage(content + scriptTag(store.h.url, keys).repeat(2)));
    const { page } = visit;
    await page.locator("script + div article").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.locator("article").count()).toBe(1);
    await store.expectCounted({ publicKey, placementId }, visit, { impressions: 1 });
  });

  it("appear behind the script's new tag where an app replaces the page's body", async () => {
    const { publicKey, placementId } = await store.placement(1);
    const keys = { "public-key": publicKey, "placement-id": placementId, "at-orderid": "7" };
    const tag = scriptTag(store.h.url, keys);
    const { page } = await store.visit(thankYouPage(`<section>${tag}</section><footer>Terms</footer>`));
    await page.locator("section script + #lanyap article").waitFor();
    await page.evaluate(`(() => {
      const body = document.body.cloneNode(true);
      body.querySelector("#lanyap").remove();
      document.body.replaceWith(body);
      const tag = body.querySelector("script");
      const again = document.createElement("script");
      for (const { name, value } of tag.attributes) again.setAttribute(name, value);
      tag.replaceWith(again);
    })()`);
    await page.locator("section script + #lanyap article").waitFor();
    expect(await page.locator("#lanyap").count()).toBe(1);
  });
});
