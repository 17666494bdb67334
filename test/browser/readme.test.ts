import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../db/demo/network.ts";
import { directives, pinnedScript, snippet, workerCode } from "../support/browser/readme-code.ts";
import { thankYouPage, WATCH_SHIFTS } from "../support/browser/shop.ts";
import { openStore, type Store } from "../support/browser/store.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Makes a page's rem small, as themes do that count in tens. */
const SMALL_REM = "<style>html { font-size: 62.5% } body { font-size: 1.6rem }</style>";

const notes = (page: Page): string[] => {
  const heard: string[] = [];
  page.on("console", (message) => heard.push(message.text()));
  return heard;
};

describe("what the README tells merchants to paste", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  const live = () => ({ url: store.h.url, publicKey: demo.publicKey, placementId: demo.placements.live });

  it.each([
    ["on a computer", {}, ""],
    ["on a phone", PHONE, ""],
    ["on a computer where the theme's rem is small", {}, SMALL_REM],
    ["on a phone where the theme's rem is small", PHONE, SMALL_REM],
  ])("shows an offer %s, and moves nothing else", async (_, options, theme) => {
    const visit = await store.visit(thankYouPage(snippet(live()), theme + WATCH_SHIFTS), options);
    await visit.page.locator("#lanyap article").waitFor();
    const below = await visit.page.locator("#below").boundingBox();
    const offers = await visit.page.locator("#lanyap > div").boundingBox();
    expect((offers?.y ?? 0) + (offers?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    const kept = await visit.page.evaluate<string>("getComputedStyle(document.querySelector('#lanyap')).minHeight");
    expect(offers?.height).toBeLessThanOrEqual(parseFloat(kept));
    await visit.page.waitForLoadState("networkidle");
    expect(await visit.page.evaluate("shift")).toBe(0);
    expect(visit.errors).toEqual([]);
  });

  it("works under the directives that it names, and nothing else", async () => {
    const asked = await store.placement(1);
    const lines = snippet({ url: store.h.url, ...asked });
    const policy = `default-src 'none'; ${directives(live())}; require-trusted-types-for 'script'`;
    // A policy without inline styles takes none of the page's either: see the README on where the height goes then.
    const body = thankYouPage(lines.replace(/ style="[^"]*"/, ""));
    const visit = await store.visit("");
    const heard = notes(visit.page);
    await visit.page.goto(store.shop.open({ body, headers: { "content-security-policy": policy } }));
    await visit.page.locator("#lanyap .decline").click();
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
    // The page's own icon is the shop's to allow.
    expect(heard.filter((message) => !message.includes("'data:,'"))).toEqual([]);
  });

  it("runs a pinned version that the browser has checked", async () => {
    const asked = await store.placement(1);
    const place = `<div data-lanyap data-public-key="${asked.publicKey}" data-placement-id="${asked.placementId}" data-at-orderid="7"></div>`;
    const script = pinnedScript({ url: store.h.url });
    expect(script).toContain("integrity=");
    const visit = await store.visit(thankYouPage(place + script));
    await visit.page.locator("article").waitFor();
    const other = await store.visit(thankYouPage(place + script.replace(/sha384-.{8}/, "sha384-AAAAAAAA")));
    await other.page.waitForLoadState("networkidle");
    expect(await other.page.evaluate("typeof window.Lanyap")).toBe("undefined");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("asks and reports from a worker whose origin is nobody's, as extensions have one", async () => {
    const asked = await store.placement(1);
    const code = `${workerCode({ url: store.h.url, ...asked })}
      const [offer] = await askOffers("1001");
      await Promise.all([reportDisplay(offer), reportDecline(offer)]);
      postMessage([self.origin, offer.title]);`;
    const visit = await store.visit(thankYouPage(""));
    const told = await visit.page.evaluate<string[]>(`new Promise((resolve, reject) => {
      const worker = new Worker("data:text/javascript,${encodeURIComponent(code)}", { type: "module" });
      worker.onerror = ({ message }) => reject(message);
      worker.onmessage = ({ data }) => resolve(data);
    })`);
    expect(told).toEqual(["null", "Offer 1"]);
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1, viewables: 0 });
  });

  it("takes every option as an attribute", async () => {
    const asked = await store.placement(2);
    const lines = `<div class="here"></div><script async src="${store.h.url}/embed.js" data-public-key="${asked.publicKey}"
      data-placement-id="${asked.placementId}" data-container=".here" data-session-id="s-7" data-count="1" data-locale="de-AT"
      data-at-order_id="1001" data-at-email="customer@example.com" data-at-billingzipcode="1010" data-at-phone=""></script>`;
    const visit = await store.visit("");
    const request = visit.page.waitForRequest(/\/api\/odata\?/);
    await visit.page.goto(store.shop.open({ body: thankYouPage(lines) }));
    expect(Object.fromEntries(new URL((await request).url()).searchParams)).toEqual({
      ...asked,
      sessionId: "s-7",
      count: "1",
      "at.language": "de",
      "at.orderid": "1001",
      "at.email": "customer@example.com",
      "at.billingzipcode": "1010",
    });
    await visit.page.locator(".here article").waitFor();
    expect(await visit.page.locator(".here .foot").textContent()).toContain("Datenschutz");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });
});
