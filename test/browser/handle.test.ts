import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { initScript, thankYouPage } from "../support/browser/shop.ts";
import { logOf, openStore, untilLogged, type Store } from "../support/browser/store.ts";

/** Stands before the service, and lets go of its first answer with offers half-way. */
const startBreakingProxy = async (service: string) => {
  let asked = 0;
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    const real = await fetch(service + path);
    const body = Buffer.from(await real.arrayBuffer());
    const isFirst = path.startsWith("/api/odata") && (asked += 1) === 1;
    response.writeHead(real.status, {
      "access-control-allow-origin": "*",
      "content-type": real.headers.get("content-type") ?? "",
      "content-length": body.length,
    });
    if (isFirst) response.write(body.subarray(0, 100), () => response.destroy());
    else response.end(body);
  };
  const server = createServer((request, response) => void answer(request.url ?? "", response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, asked: () => asked, close: () => server.close() };
};

describe("a page that changes its mind", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** A page whose own function of a name takes everything away again. */
  const destroying = async (name: string, head = "") => {
    const asked = await store.placement();
    const options = JSON.stringify({ ...asked, container: "#offers", count: 2, attributes: { orderid: "7" } });
    const init = `<script>window.log = []; {
      const tell = (name) => (...values) => { log.push(name); if (name === "${name}") handle.destroy(); };
      const names = ["onReady", "onShow", "onView", "onClick", "onClose", "onEnd", "onError"];
      window.handle = Lanyap.init({ ...${options}, ...Object.fromEntries(names.map((name) => [name, tell(name)])) });
    }</script>`;
    const script = `${head}<script src="${store.h.url}/embed.js"></script>`;
    const visit = await store.visit(
      thankYouPage(`<div id="offers"></div>`, script).replace("</body>", `${init}</body>`),
    );
    const { page } = visit;
    /** What is there once the page has changed its mind, and what it was told by then but for views. */
    const rest = async () => {
      await page.waitForFunction(`log.includes("${name}")`);
      await page.waitForTimeout(100);
      const told = await page.evaluate<string[]>("log.filter((name) => name !== 'onView')");
      return { shown: await page.locator("#offers > *").count(), told };
    };
    return { asked, visit, page, rest };
  };

  it("shows and counts nothing when it is told to stop before it shows", async () => {
    const { asked, visit, rest } = await destroying("onReady");
    expect(await rest()).toEqual({ shown: 0, told: ["onReady"] });
    await store.expectCounted(asked, visit, {});
  });

  it("takes away an offer that was never drawn, and does not count it", async () => {
    const { asked, visit, rest } = await destroying("onShow");
    expect(await rest()).toEqual({ shown: 0, told: ["onReady", "onShow"] });
    await store.expectCounted(asked, visit, { viewables: 0 });
  });

  it("counts no next offer when declining one was to end it all", async () => {
    const { asked, visit, page, rest } = await destroying("onClose");
    await page.getByRole("button", { name: "No, thanks" }).click();
    expect(await rest()).toEqual({ shown: 0, told: ["onReady", "onShow", "onClose"] });
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1 });
  });

  it("counts no next offer when accepting one was to end it all", async () => {
    const { asked, visit, page, rest } = await destroying("onClick");
    await page.getByRole("link", { name: "Yes, please" }).click();
    expect(await rest()).toEqual({ shown: 0, told: ["onReady", "onShow", "onClick"] });
    await store.expectCounted(asked, visit, { impressions: 1, clicks: 1 });
  });

  it.each([
    ["waits for its answer", "asked"],
    ["waits to show it", "onReady 1"],
  ])("counts nothing when the place leaves the page while it %s", async (_, moment) => {
    const asked = await store.placement(1, { placement: { data: { adDisplayDelay: 60_000 } } });
    const { promise, resolve } = Promise.withResolvers<void>();
    const visit = await store.visit("");
    const { page } = visit;
    await page.clock.install();
    await page.route("**/api/odata?**", async (route) => {
      await page.evaluate("log.push('asked')");
      await promise;
      return route.fallback();
    });
    const init = initScript({ ...asked, container: "#offers", count: 1, attributes: { orderid: "7" } });
    const place = `<div id="offers"></div><script src="${store.h.url}/embed.js"></script>${init}`;
    await page.goto(store.shop.open({ body: thankYouPage(place) }));
    if (moment !== "asked") resolve();
    await untilLogged(page, moment);
    await page.evaluate("window.place = document.querySelector('#offers'); place.remove()");
    resolve();
    await untilLogged(page, "onReady");
    await page.clock.runFor(60_000);
    expect(await page.evaluate("place.childElementCount")).toBe(0);
    expect(await logOf(page)).toBe("asked, onReady 1");
    await store.expectCounted(asked, visit, {});
  });

  it("hears of it when a page lets nothing be shown, as of every other problem", async () => {
    const head = `<script>Element.prototype.attachShadow = () => { throw new TypeError("not here"); }</script>`;
    const { asked, visit, rest } = await destroying("onError", head);
    expect(await rest()).toEqual({ shown: 0, told: ["onReady", "onError"] });
    await store.expectCounted(asked, visit, {});
  });

  it("asks again when the answer breaks off", async () => {
    const proxy = await startBreakingProxy(store.h.url);
    const asked = await store.placement(1);
    const lines = `<div data-lanyap data-public-key="${asked.publicKey}" data-placement-id="${asked.placementId}" data-at-orderid="7"></div>`;
    const visit = await store.visit(thankYouPage(`${lines}<script async src="${proxy.url}/embed.js"></script>`));
    await visit.page.locator("article").waitFor();
    expect(proxy.asked()).toBe(2);
    proxy.close();
    await store.expectCounted(asked, visit, { impressions: 1 });
  });
});
