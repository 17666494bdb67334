import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launchBrowser } from "../../support/browser/chromium.ts";
import { chromiumPath } from "../../support/browser/chromium-path.ts";
import { snippet } from "../../support/browser/readme-code.ts";
import { startShop, thankYouPage } from "../../support/browser/shop.ts";
import { SECRETS } from "../../support/secrets.ts";
import { ROOT } from "../../../functions/local/wrangler.ts";
import type { Bench } from "../context.ts";
import { ids, PUBLIC_KEY } from "../servers/fill.ts";
import { longestRun, type PageLoad, type Sent, visit, type Visitor } from "../traffic/page-load.ts";
import { type Bar, fixed, type PartResult, type Table, whole } from "../report.ts";
import { median } from "../traffic/rounds.ts";

const NO_CHROMIUM = "there is no Chromium: sudo apt-get install chromium";

const ASSETS = join(ROOT, "dist/assets");
/** Limits the requests that an offer waits for: the script and the answer. */
const REQUESTS = 2;
/** Names the length from which on browsers call a task long, in milliseconds. */
const LONG_MS = 50;

const VISITORS: Record<string, Visitor> = {
  computer: { options: { viewport: { width: 1280, height: 720 } }, slowdown: 1 },
  "phone, 4 × slower": {
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
    slowdown: 4,
  },
};

/** Serves the service with its assets. It calls itself by the address that the browser knows. */
const serve = async (bench: Bench): Promise<string> => {
  const { url: databaseUrl } = await bench.database({ placements: 1_000, offers: 40, sites: 10 });
  const settings = { PUBLIC_URL: "", PARTNER_ZONE_URL: "", DOCUMENT_FRESH_MS: "600000", WRITES_PER_MINUTE: "600" };
  const { url } = await bench.serve({
    source: await bench.script(),
    text: { ...SECRETS, DATABASE_URL: databaseUrl, ...settings },
    service: { assets: ASSETS },
  });
  return url;
};

/**
 * Holds all visits of one visitor, and the longest runs of script in some further ones, in milliseconds of CPU time.
 */
type Visits = { loads: PageLoad[]; runs: number[] };

/** Opens a shop's page with the guide's lines again and again, with an empty cache. The first visits only warm up. */
const measure = async (bench: Bench): Promise<Map<string, Visits>> => {
  const url = await serve(bench);
  const [shop, browser] = [
    await startShop(),
    await launchBrowser({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }),
  ];
  const stop = bench.note(async () => {
    await browser.close();
    await shop.close();
  });
  try {
    const lines = snippet({ url, publicKey: PUBLIC_KEY, placementId: ids.placement(1) });
    const address = shop.open({ body: thankYouPage(lines) });
    const visitors = Object.entries(VISITORS).slice(0, bench.quick ? 1 : undefined);
    const measured = new Map(visitors.map(([name]): [string, Visits] => [name, { loads: [], runs: [] }]));
    for (const [, visitor] of visitors) await visit(browser, address, url, visitor);
    for (let round = 0; round < (bench.quick ? 2 : 9); round++) {
      for (const [name, visitor] of round % 2 === 0 ? visitors : visitors.toReversed()) {
        measured.get(name)?.loads.push(await visit(browser, address, url, visitor));
        if (round < (bench.quick ? 1 : 3)) measured.get(name)?.runs.push(await longestRun(browser, address, visitor));
      }
    }
    return measured;
  } finally {
    await stop();
  }
};

const isPreflight = ({ method }: Sent): boolean => method === "OPTIONS";

const withRange = (values: readonly number[]): string =>
  `${whole(median(values))} (${whole(Math.min(...values))}–${whole(Math.max(...values))})`;

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join("; ");

const requestsOf = ({ before }: PageLoad): string =>
  `${before.length}: ${before.map((sent) => (isPreflight(sent) ? "OPTIONS " : "") + sent.path).join(", ")}`;

const bytesOf = (loads: readonly PageLoad[], path: string): string =>
  distinct(
    loads.flatMap(({ before }) => before.filter((sent) => sent.path === path).map((sent) => whole(sent.received))),
  );

const tasksOf = (loads: readonly PageLoad[]): string => {
  const tasks = loads.flatMap((load) => load.tasks);
  return `${tasks.length}, ${whole(tasks.reduce((sum, ms) => sum + ms, 0))} ms`;
};

const shiftOf = (loads: readonly PageLoad[]): string => fixed(Math.max(...loads.map(({ shift }) => shift)), 4);

const gzip = (file: string): string => whole(gzipSync(readFileSync(join(ASSETS, file)), { level: 9 }).length);

const FIGURES: Record<string, (visits: Visits) => string> = {
  "script asked for → offer painted, ms": ({ loads }) => withRange(loads.map(({ asked, painted }) => painted - asked)),
  "script there → offer painted, ms": ({ loads }) => withRange(loads.map(({ loaded, painted }) => painted - loaded)),
  "of that, waiting for odata, ms": ({ loads }) => withRange(loads.map(({ answer }) => answer)),
  "requests before the offer": ({ loads }) => distinct(loads.map(requestsOf)),
  "bytes of /embed.js here (gzip)": ({ loads }) => `${bytesOf(loads, "/embed.js")} (${gzip("embed.js")})`,
  "bytes of /api/odata here": ({ loads }) => bytesOf(loads, "/api/odata"),
  "long tasks in all visits, by the clock": ({ loads }) => tasksOf(loads),
  "longest run of script, processor ms": ({ runs }) => withRange(runs),
  "layout shift (CLS), at most": ({ loads }) => shiftOf(loads),
};

const tableOf = (measured: Map<string, Visits>, visits: number): Table => ({
  title: `An offer on a shop's page, empty cache, ${visits} visits each, median (lowest–highest)`,
  columns: ["", ...measured.keys()],
  rows: Object.entries(FIGURES).map(([name, figure]) => [name].concat([...measured.values()].map(figure))),
});

const barsOf = (loads: readonly PageLoad[], runs: readonly number[]): Bar[] => [
  {
    what: "storefront: requests before an offer shows",
    bar: `${REQUESTS}, no preflight`,
    measured: distinct(loads.map(requestsOf)),
    met: loads.every(({ before }) => before.length === REQUESTS && !before.some(isPreflight)),
  },
  {
    what: "storefront: layout shift (CLS)",
    bar: "0",
    measured: shiftOf(loads),
    met: loads.every(({ shift }) => shift === 0),
  },
  {
    what: "storefront: long tasks of the script",
    bar: "0",
    measured: `${runs.filter((ms) => ms > LONG_MS).length} by processor time, the longest of ${whole(Math.max(...runs))} ms`,
    met: runs.every((ms) => ms <= LONG_MS),
  },
];

/**
 * Measures how long customers wait for an offer in a real browser, what they wait for, and what that does to the shop's
 * page.
 */
export const storefront = async (bench: Bench): Promise<PartResult> => {
  if (!chromiumPath) return { tables: [], bars: [], skipped: NO_CHROMIUM };
  const measured = await measure(bench);
  const all = [...measured.values()];
  const [loads, runs] = [all.flatMap((visits) => visits.loads), all.flatMap((visits) => visits.runs)];
  return {
    tables: [tableOf(measured, loads.length / all.length)],
    bars: barsOf(loads, runs),
    data: Object.fromEntries(measured),
  };
};
