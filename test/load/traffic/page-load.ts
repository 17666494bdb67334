import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { customer } from "../../support/browser/chromium.ts";

/** Describes who looks at the page: a browser, and how many times slower than this machine its processor is. */
export type Visitor = { options: BrowserContextOptions; slowdown: number };

/** Describes a request of the page. `received` is in bytes, headers included. */
export type Sent = { id: string; method: string; path: string; kind: string; received: number };

/** Holds what the page measured itself. Times are in milliseconds since the visit began. */
type Seen = {
  /** Tells when the script was asked for; `loaded` tells when it had arrived. */
  asked: number;
  loaded: number;
  /** Tells how long the page waited for the answer. */
  answer: number;
  painted: number;
  shift: number;
  /** Lists how long tasks of over 50 ms took, whichever program caused them. */
  tasks: number[];
};

/**
 * Describes one visit. `before` lists the service's requests until the offer was reported as displayed, without
 * pictures.
 */
export type PageLoad = Seen & { before: Sent[] };

const LIMIT_MS = 60_000;
/** Waits long enough for the picture to load, and for anything that it moves. */
const SETTLE_MS = 500;

const OBSERVE = `{
  const seen = { painted: 0, shift: 0, tasks: [] };
  window.seen = seen;
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe("layout-shift", ({ value }) => { seen.shift += value });
  observe("longtask", ({ duration }) => seen.tasks.push(duration));
  const watch = new MutationObserver(() => {
    if (!document.querySelector("#lanyap > div")?.shadowRoot?.querySelector("article")) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { seen.painted = performance.now() };
      port2.postMessage(0);
    });
  });
  watch.observe(document, { childList: true, subtree: true });
}`;

const REPORT = `(() => {
  const find = (part) => performance.getEntriesByType("resource").find(({ name }) => name.includes(part));
  const [script, answer] = [find("/embed."), find("/api/odata")];
  return { ...seen, asked: script.startTime, loaded: script.responseEnd, answer: answer.duration };
})()`;

/** Notes what a page asks a service for, preflights included, which the page itself cannot see. */
const listen = async (session: CDPSession, service: string): Promise<Sent[]> => {
  const sent: Sent[] = [];
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (!request.url.startsWith(service)) return;
    const { method, url } = request;
    sent.push({ id: requestId, method, path: new URL(url).pathname, kind: type ?? "", received: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const known = sent.find(({ id }) => id === requestId);
    if (known) known.received = encodedDataLength;
  });
  await session.send("Network.enable");
  return sent;
};

/** Lends a page in a browser without history, which is as slow as its visitor's. */
const inNewBrowser = async <T>(
  browser: Browser,
  { options, slowdown }: Visitor,
  use: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> => {
  const context = await browser.newContext(customer(options));
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.addInitScript(OBSERVE);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    return await use(page, session);
  } finally {
    await context.close();
  }
};

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address, { timeout: LIMIT_MS });
  await page.waitForFunction("seen.painted > 0", undefined, { timeout: LIMIT_MS });
  await page.waitForTimeout(SETTLE_MS);
};

/**
 * Opens a shop's page, waits until the offer on it is painted and all is quiet, and leaves.
 *
 * @param service the address whose requests are noted
 * @throws when no offer shows within a minute
 */
export const visit = (browser: Browser, address: string, service: string, visitor: Visitor): Promise<PageLoad> =>
  inNewBrowser(browser, visitor, async (page, session) => {
    const sent = await listen(session, service);
    await open(page, address);
    const seen = await page.evaluate<Seen>(REPORT);
    const display = sent.findIndex(({ path }) => path === "/vdata");
    return { ...seen, before: sent.slice(0, Math.max(display, 0)).filter(({ kind }) => kind !== "Image") };
  });

type TraceEvent = { name: string; tdur?: number; args: { data?: { frame?: string } } };

/** Names what the browser's trace calls a run of script. One run may contain another. */
const RUNS = new Set(["EvaluateScript", "TimerFire", "FunctionCall", "RunMicrotasks"]);

/** Returns the longest run of script in a visit, in milliseconds of CPU time, so that other programs do not count. */
export const longestRun = (browser: Browser, address: string, visitor: Visitor): Promise<number> =>
  inNewBrowser(browser, visitor, async (page) => {
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    await open(page, address);
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const runs = trace.traceEvents.filter(({ name }) => RUNS.has(name));
    if (runs.length === 0) throw new Error("the trace has no scripts");
    return Math.max(...runs.map(({ tdur = 0 }) => tdur)) / 1_000;
  });
