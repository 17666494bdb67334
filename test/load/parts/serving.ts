import { bundleHelper, type Constant } from "../servers/bundle.ts";
import type { Bench } from "../context.ts";
import { hasWrk, type Target } from "../traffic/wrk.ts";
import { odataPath, odataRequests } from "../traffic/odata.ts";
import { type Bar, type PartResult, percent, fixed, type Table, whole } from "../report.ts";
import {
  alternate,
  errorsOf,
  figures,
  median,
  type Measured,
  type Pace,
  ratios,
  spread,
  type Subject,
} from "../traffic/rounds.ts";

/** Counts the placements that take turns on the tiers where documents are found. */
const HOT_PLACEMENTS = 64;
/** Counts all placements, of which there are more than cold requests. */
const ALL_PLACEMENTS = 100_000;
const OFFERS = 40;
const SHARE_TO_HOLD = 0.6;
/** Keeps documents fresh for longer than a run, since other subjects have their turn between two rounds. */
const IN_MEMORY_MS = 3_600_000;

export const NO_WRK = "wrk is not installed: sudo apt-get install wrk";

/** Lists headers that say how an answer travels, which the server itself sets. */
const OF_THE_CONNECTION = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

/** Returns the service's answer with `count` offers, to be sent again byte by byte. */
const answerOf = async (service: Target, count: number): Promise<Constant> => {
  const answer = await fetch(service.url + odataPath(1, 1, count));
  const body = await answer.text();
  const offers = (JSON.parse(body) as { offers?: unknown[] }).offers?.length;
  if (answer.status !== 200 || offers !== count) throw new Error(`${answer.status}, not ${count} offers: ${body}`);
  const headers = [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { body, headers: Object.fromEntries(headers) };
};

const peerRequests = (url: string): string => `"${url.replaceAll('"', "%22").replaceAll("{n}", '" .. n .. "')}"`;

/** Returns a peer as a subject. Its address says what to ask it. */
const peerSubject = (address: string): Subject => {
  const { origin, pathname, search } = new URL(address);
  const path = peerRequests(decodeURI(pathname) + search.replaceAll("%7Bn%7D", "{n}"));
  return { name: "peer", target: { url: origin }, requestsOf: () => ({ path }) };
};

const hot = (count: number) => () => odataRequests(HOT_PLACEMENTS, count);

const makeSubjects = async (bench: Bench, sizes: readonly number[]): Promise<Subject[]> => {
  const [database] = await Promise.all([
    bench.database({ placements: ALL_PLACEMENTS, offers: OFFERS, sites: 100 }),
    bench.script(),
  ]);
  const [inMemory, inKv, forgetful] = await Promise.all([
    bench.service(database, { freshMs: IN_MEMORY_MS }),
    bench.service(database, { freshMs: 0 }),
    bench.service(database, { kv: "forget" }),
  ]);
  // Each cold request has a placement that no request had before, in any round.
  let cold = 0;
  const colds = (count: number) => () => odataRequests(ALL_PLACEMENTS, count, (cold += 5_000));
  const subjects: Subject[] = [];
  for (const count of sizes) {
    const answer = await answerOf(inMemory, count);
    const serveConstant = async (name: string, kind: "bare" | "hono", constant: Constant): Promise<Subject> => {
      const target = await bench.serve({ source: await bundleHelper(kind, constant) });
      return { name: `${name} ${count}`, target, requestsOf: hot(count) };
    };
    const plain = { ...answer, headers: { "content-type": "application/json" } };
    const constants = await Promise.all([
      serveConstant("bare", "bare", plain),
      // A short run leaves out subjects that only explain the others.
      ...(bench.quick ? [] : [serveConstant("headers", "bare", answer)]),
      serveConstant("hono", "hono", plain),
    ]);
    subjects.push(
      ...constants,
      { name: `in memory ${count}`, target: inMemory, requestsOf: hot(count) },
      { name: `in KV ${count}`, target: inKv, requestsOf: hot(count) },
      { name: `cold ${count}`, target: forgetful, requestsOf: colds(count) },
    );
  }
  const peer = process.env["PEER_URL"];
  return peer ? [...subjects, peerSubject(peer)] : subjects;
};

const LABELS: Record<string, string> = {
  bare: "bare Worker",
  headers: "the same, all headers",
  hono: "bare Hono app",
  peer: "peer",
};

const tableOf = (subjects: readonly Subject[], measured: Measured, sizes: readonly number[]): Table => ({
  title: "odata, requests a second of one core",
  columns: [
    "documents",
    "offers",
    "requests/s",
    "of bare",
    "spread",
    "p50 ms",
    "p99 ms",
    "p99 to bare",
    "CPU µs",
    "of bare",
  ],
  rows: subjects.map(({ name }) => {
    const [, kind = name, count = String(sizes.find((size) => size === 4) ?? sizes[0])] =
      /^(.+) (\d+)$/.exec(name) ?? [];
    const of = (figure: "rate" | "p50" | "p99" | "cpu") => median(figures(measured, name, figure));
    const toBare = ratios(measured, name, `bare ${count}`, "rate");
    return [
      LABELS[kind] ?? kind,
      name === "peer" ? "" : count,
      whole(of("rate")),
      percent(median(toBare)),
      `± ${percent(spread(toBare) / 2)}`,
      fixed(of("p50"), 2),
      fixed(of("p99"), 1),
      fixed(median(ratios(measured, name, `bare ${count}`, "p99")), 2),
      ...(name === "peer"
        ? ["", ""]
        : [whole(of("cpu")), percent(median(ratios(measured, `bare ${count}`, name, "cpu")))]),
    ];
  }),
});

/** Measures how fast requests for offers are answered from each tier, beside Workers that do nothing but answer. */
export const serving = async (bench: Bench): Promise<PartResult> => {
  if (!(await hasWrk())) return { tables: [], bars: [], skipped: NO_WRK };
  const sizes = bench.quick ? [4] : [4, 1, 20];
  const subjects = await makeSubjects(bench, sizes);
  const pace: Pace = bench.quick ? { rounds: 2, seconds: 1, warmUpAtOnce: true } : { rounds: 5, seconds: 3 };
  const measured = await alternate(subjects, pace);
  // By processor time, which varies by a tenth where rates vary by half.
  const share = median(ratios(measured, "bare 4", "in memory 4", "cpu"));
  const byRate = percent(median(ratios(measured, "in memory 4", "bare 4", "rate")));
  const toHeaders = percent(median(ratios(measured, "headers 4", "in memory 4", "cpu")));
  const bar: Bar = {
    what: "odata, documents in memory, 4 offers, against bare",
    bar: "≥ 60 % by processor time",
    measured: bench.quick
      ? `${percent(share)}, in a run too short to tell`
      : `${percent(share)}, ${byRate} by requests/s; ${toHeaders} of one that sends the same headers, too`,
    met: share >= SHARE_TO_HOLD,
  };
  const errors = errorsOf(new Map([...measured].filter(([name]) => name !== "peer")));
  return {
    tables: [tableOf(subjects, measured, sizes)],
    bars: [bar],
    data: Object.fromEntries(measured),
    ...(errors > 0 && { failure: `${errors} requests failed` }),
  };
};
