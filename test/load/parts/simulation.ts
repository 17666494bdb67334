import type { Bench } from "../context.ts";
import { type Bar, fixed, percent, type PartResult, type Table, whole } from "../report.ts";
import { type Assumptions, type HitRates, simulateHitRates } from "../simulation/hit-rates.ts";
import { simulatePublishing } from "../simulation/publishing.ts";
import { type Figures, limitsMet, monthlyCosts, type Traffic } from "../simulation/costs.ts";
import { seeded } from "../simulation/random.ts";
import { measuredFigures } from "../simulation/measured.ts";

const SEED = 5;

const TRAFFIC: Traffic = { odataADay: 1e9, hitsPerOdata: 1.5, peak: 2, keptDays: 30 };

/**
 * Lists the cases to simulate: how many requests one isolate takes. No platform publishes that, so the range is wide.
 */
const ISOLATES: Record<string, number> = { "one isolate to 50 requests/s": 50, "one isolate to 5 requests/s": 5 };

const assumptions = (ratePerIsolate: number, seconds: number, edits: Partial<Assumptions> = {}): Assumptions => ({
  requestsADay: TRAFFIC.odataADay,
  locations: 300,
  placements: 100_000,
  placementsOfAPublisher: 20,
  locationExponent: 1,
  placementExponent: 1,
  ratePerIsolate,
  minIsolates: 2,
  atHome: 0.8,
  regions: 10,
  countries: 100,
  memoryEntries: 1_500,
  editsASecond: 0,
  onEdit: "renew by age",
  seconds,
  seed: SEED,
  ...edits,
});

const hitTable = (played: Record<string, HitRates>): Table => ({
  title: "Where answers come from, 1 bn a day over 300 locations",
  columns: [
    "isolates",
    "memory",
    "memory, renewed behind",
    "KV cache",
    "KV central",
    "Postgres",
    "KV keys",
    "SQL/s behind",
  ],
  rows: Object.entries(played).map(([name, rates]) => [
    `${name} (${whole(rates.isolates)})`,
    percent(rates.memoryFresh),
    percent(rates.memoryStale),
    percent(rates.kvCached),
    percent(rates.kvCentral),
    percent(rates.postgres),
    fixed(rates.kvKeys, 2),
    whole((rates.refreshes * TRAFFIC.odataADay) / 86_400),
  ]),
});

const MINUTE = 60;

/** Lists what may happen to offers while customers ask for them; the last is not the service's own way. */
const EDITS: Record<string, Partial<Assumptions>> = {
  none: {},
  "one in five minutes": { editsASecond: 1 / (5 * MINUTE) },
  "one a minute": { editsASecond: 1 / MINUTE },
  "one a minute, if it outdated every list": { editsASecond: 1 / MINUTE, onEdit: "rebuild all" },
};

/** Limits how much statements and puts may grow by edits. */
const EDIT_LIMIT = 1.2;

const aSecond = (share: number): number => (share * TRAFFIC.odataADay) / 86_400;

const editTable = (played: Record<string, HitRates>): Table => ({
  title: "What changes of offers cost",
  columns: ["changes", "answers that wait for one", "SQL/s behind", "of none", "puts/s", "of none"],
  rows: Object.entries(played).map(([name, rates]) => [
    name,
    percent(rates.waits),
    whole(aSecond(rates.refreshes)),
    fixed(rates.refreshes / (played["none"]?.refreshes ?? Number.NaN), 2),
    whole(aSecond(rates.kvWrites)),
    fixed(rates.kvWrites / (played["none"]?.kvWrites ?? Number.NaN), 2),
  ]),
});

const editBars = ({ none, ...played }: Record<string, HitRates>): Bar[] => {
  const own = Object.entries(played).filter(([name]) => EDITS[name]?.onEdit === undefined);
  const waits = Math.max(...own.map(([, rates]) => rates.waits));
  const growth = Math.max(
    ...own.flatMap(([, rates]) => [
      rates.refreshes / (none?.refreshes ?? Number.NaN),
      rates.kvWrites / (none?.kvWrites ?? Number.NaN),
    ]),
  );
  return [
    {
      what: "answers that wait for somebody's change of an offer",
      bar: "0 %",
      measured: percent(waits),
      met: waits === 0,
    },
    {
      what: "statements and puts at an edit a minute, of none",
      bar: `≤ ${EDIT_LIMIT}`,
      measured: fixed(growth, 2),
      met: growth <= EDIT_LIMIT,
    },
  ];
};

const delaysTable = (): Table => {
  const random = seeded(SEED);
  // Two round trips to Postgres, and up to a second between two puts of one document.
  const writer = (): number => 0.1 + random() * 1.2;
  const cron = (): number => random() * MINUTE + writer();
  const documents = {
    "`network`, or any busy document": { rate: 10, put: writer, propagation: MINUTE },
    "a placement asked for twice a minute": { rate: 2 / MINUTE, put: writer, propagation: MINUTE },
    "a busy one, publishing interrupted": { rate: 10, put: cron, propagation: MINUTE },
    "a busy one, if KV needs no time itself": { rate: 10, put: writer, propagation: 0 },
  };
  return {
    title: "Until when other isolates answer by the old state, seconds after a change",
    columns: ["document", "median", "95 %", "99 %", "last"],
    rows: Object.entries(documents).map(([name, of]) => {
      const delays = simulatePublishing({ locations: 300, isolates: 8, seed: SEED, ...of });
      return [name].concat([delays.median, delays.p95, delays.p99, delays.last].map((delay) => fixed(delay, 0)));
    }),
  };
};

const costTable = (rates: HitRates, figures: Figures): Table => {
  const costs = monthlyCosts(TRAFFIC, rates, figures);
  const total = costs.reduce((sum, cost) => sum + cost.dollars, 0);
  return {
    title: "A month of 1 bn a day",
    columns: ["what", "amount", "USD"],
    rows: [
      ...costs.toSorted((a, b) => b.dollars - a.dollars).map((cost) => [cost.what, cost.amount, whole(cost.dollars)]),
      ["all", "", whole(total)],
    ],
  };
};

const millions = (count: number): string => `${whole(count / 1e6)} million`;

const limitTable = (rates: HitRates, figures: Figures): Table => {
  const met = limitsMet(TRAFFIC, rates, figures);
  return {
    title: "Limits by the requests for offers a day that meet them",
    columns: ["limit", "a day"],
    rows: [
      ["Postgres, one core as measured", millions(met.oneCore)],
      ["one queue, 5,000 messages/s", millions(met.queue)],
      ["Postgres, the 16 CU that Neon scales to, if sixteen cores do sixteen times one", millions(met.neon)],
    ],
  };
};

/**
 * Computes hit rates, publishing delay, costs and limits at a billion requests a day, from what other parts measured.
 */
export const simulation = async (bench: Bench): Promise<PartResult> => {
  const figures = measuredFigures(bench.earlier);
  const cases = Object.entries(ISOLATES).slice(bench.quick ? -1 : 0);
  const played = Object.fromEntries(
    cases.map(([name, rate]) => [name, simulateHitRates(assumptions(rate, bench.quick ? 65 : 300))]),
  );
  // The last case is the more expensive one, so that costs are not understated.
  const worst = Object.values(played).at(-1);
  if (!worst) throw new Error("nothing was played");
  const [, rate = 5] = cases.at(-1) ?? [];
  const edited = Object.fromEntries(
    Object.entries(EDITS).map(([name, edits]) => [
      name,
      simulateHitRates(assumptions(rate, bench.quick ? 2 * MINUTE : 5 * MINUTE, edits)),
    ]),
  );
  return {
    tables: [hitTable(played), editTable(edited), delaysTable(), limitTable(worst, figures), costTable(worst, figures)],
    bars: editBars(edited),
    data: { traffic: TRAFFIC, figures, played },
  };
};
