import type { Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { initScript, thankYouPage } from "../support/browser/shop.ts";
import { logOf, openStore, untilLogged, type Store } from "../support/browser/store.ts";

const answerWith =
  (body: string, status = 200) =>
  (route: Route) =>
    route.fulfill({ status, body, contentType: "application/json", headers: { "access-control-allow-origin": "*" } });
const fail = (route: Route) => route.abort("connectionrefused");

describe("a page whose offers do not come", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page whose requests for offers are answered by the test. */
  const withAnswers = async (answers: ((route: Route) => Promise<void>)[], options: Record<string, unknown> = {}) => {
    const asked = await store.placement(1);
    const visit = await store.visit("");
    let requests = 0;
    await visit.page.route("**/api/odata?**", (route) => {
      requests += 1;
      return (answers[requests - 1] ?? ((last) => last.fallback()))(route);
    });
    const init = initScript({ ...asked, container: "#offers", count: 1, attributes: { orderid: "1" }, ...options });
    const script = `<script src="${store.h.url}/embed.js"></script>`;
    const page = thankYouPage(`<div id="offers"></div>${script}${init}`);
    await visit.page.goto(store.shop.open({ body: page }));
    return { asked, visit, requests: () => requests };
  };
  it("stays as it is when there are no offers, and learns why", async () => {
    const asked = await store.placement(1, { site: { adsEnabled: false } });
    const visit = await store.show(asked);
    await untilLogged(visit.page, "onEmpty");
    expect(await logOf(visit.page)).toBe("onEmpty site_ads_disabled");
    expect(await visit.page.locator("#offers > *").count()).toBe(0);
    await store.expectCounted(asked, visit, {});
  });

  it("asks again once when the network fails", async () => {
    const { asked, visit, requests } = await withAnswers([fail]);
    await untilLogged(visit.page, "onShow 0");
    expect(requests()).toBe(2);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it.each([
    ["the service is down", [fail, fail, fail], "NETWORK", 2],
    [
      "the service fails",
      [answerWith('{"success":false,"error":{"code":"INTERNAL_SERVER_ERROR"}}', 500)],
      "INTERNAL_SERVER_ERROR",
      1,
    ],
    ["something else answers", [answerWith("<html>Bad gateway</html>", 502)], "HTTP_502", 1],
    ["the answer is no JSON", [answerWith('{"offers": [')], "MALFORMED", 1],
    ["the answer has no offers", [answerWith('{"offers": null}')], "MALFORMED", 1],
    ["the answer is null", [answerWith("null")], "MALFORMED", 1],
  ])("reports it when %s", async (_, answers, code, requests) => {
    const failed = await withAnswers(answers);
    await untilLogged(failed.visit.page, "onError");
    expect(await logOf(failed.visit.page)).toBe(`onError ${code}`);
    expect(failed.requests()).toBe(requests);
    expect(await failed.visit.page.locator("#offers > *").count()).toBe(0);
    await store.expectCounted(failed.asked, failed.visit, {});
  });

  it("gives up on a slow service after the time limit", async () => {
    const { asked, visit, requests } = await withAnswers([() => new Promise<void>(() => {})], { timeout: 200 });
    await untilLogged(visit.page, "onError");
    expect(await logOf(visit.page)).toBe("onError TIMEOUT");
    expect(requests()).toBe(1);
    await store.expectCounted(asked, visit, {});
  });

  it("leaves out offers that it must not show, and shows the others", async () => {
    const url = `${store.h.url}/vdata?t=x`;
    const good = { title: "<b>Bold</b>", ctaText: "Go", clickUrl: url, beaconUrl: url, closeUrl: url, description: 7 };
    const offers = [null, 1, {}, { ...good, clickUrl: "javascript:alert(1)" }, { ...good, title: "" }, good];
    const icon = { url: "javascript:alert(1)" };
    const { asked, visit } = await withAnswers(
      [answerWith(JSON.stringify({ offers: [...offers, { ...good, icon }], templateData: 5 }))],
      { count: 2 },
    );
    await untilLogged(visit.page, "onShow 0");
    expect(await logOf(visit.page)).toBe("onReady 2, onShow 0");
    expect(await visit.page.getByRole("heading", { level: 2 }).textContent()).toBe("<b>Bold</b>");
    await store.expectCounted(asked, visit, {});
  });

  it.each([
    ["its script", "script-src 'unsafe-inline'; connect-src *", ""],
    ["its requests", "script-src 'unsafe-inline' *; connect-src 'self'", "onError NETWORK"],
  ])("goes on when a Content-Security-Policy blocks %s", async (_, policy, log) => {
    const asked = await store.placement(1);
    const visit = await store.show(asked, { headers: { "content-security-policy": policy } });
    if (log) await untilLogged(visit.page, log);
    expect(await logOf(visit.page)).toBe(log);
    expect(await visit.page.locator("#below").textContent()).toBe("Below the offers");
    await store.expectCounted(asked, visit, {});
  });

  it("asks all the same in a page that names no language there is", async () => {
    const asked = await store.placement(1);
    const head = `<script>document.documentElement.lang = "x-klingon"</script>`;
    const visit = await store.show({ ...asked, count: 1 }, { head });
    await untilLogged(visit.page, "onShow 0");
    expect(await visit.page.locator("#offers section").getAttribute("lang")).toBe("en");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("says what is missing, and throws nothing", async () => {
    const asked = await store.placement(1);
    const visit = await store.show({ ...asked, publicKey: "" });
    await untilLogged(visit.page, "onError");
    await visit.page.evaluate("Lanyap.init({}).destroy(); Lanyap.init(); Lanyap.init(null)");
    expect(await logOf(visit.page)).toBe("onError OPTIONS");
    for (const container of ["#nowhere", "no selector!"]) {
      const other = await store.show({ ...asked, container });
      await untilLogged(other.page, "onError");
      expect(await logOf(other.page)).toBe("onError CONTAINER");
      expect(other.errors).toEqual([]);
    }
    await store.expectCounted(asked, visit, {});
  });
});
