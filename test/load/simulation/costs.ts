import type { HitRates } from "./hit-rates.ts";

/**
 * Lists published prices in USD. Those of Cloudflare Workers, KV, Queues and Durable Objects are from the pages
 * "Pricing" and "Limits" of each product at developers.cloudflare.com; Neon's, plan Scale, from
 * neon.com/docs/introduction/plans of 2026-11-12. All were read from stored copies on 2026-11-21. Included monthly
 * amounts are left out, since they are nothing beside these volumes.
 */
export const PRICES = {
  workerRequest: 0.3e-6,
  workerCpuMs: 0.02e-6,
  kvRead: 0.5e-6,
  kvWrite: 5e-6,
  queueOperation: 0.4e-6,
  neonCuHour: 0.222,
  neonGigabyteMonth: 0.35,
};

/**
 * Lists published limits: messages a second of one queue, and the compute units to which Neon scales a database by
 * itself.
 */
export const LIMITS = { queueMessages: 5_000, neonCu: 16 };

/** Counts the operations of a message, which is written, read and deleted. */
const OPERATIONS_OF_A_MESSAGE = 3;
const DAYS = 30;

/** Holds what was measured on one machine, or assumed where a part was not run. Times are in milliseconds. */
export type Figures = {
  odataCpu: number;
  trackingCpu: number;
  consumerCpu: number;
  /** Counts the hits a second that the consumer stores in Postgres on one core. */
  storedASecond: number;
  bytesPerEvent: number;
  coldDatabase: number;
};

/**
 * Describes traffic: tracking hits to each answer, the busiest hour as a multiple of the mean, days that events are
 * kept.
 */
export type Traffic = { odataADay: number; hitsPerOdata: number; peak: number; keptDays: number };

export type Cost = { what: string; amount: string; dollars: number };

const billions = (count: number): string => `${(count / 1e9).toFixed(1)} bn`;

/** Computes the cores that Postgres needs for events and candidates, at the mean rate. */
const databaseCores = (traffic: Traffic, rates: HitRates, figures: Figures): number => {
  const odata = traffic.odataADay / 86_400;
  const events = (odata * traffic.hitsPerOdata) / figures.storedASecond;
  const candidates = (odata * (rates.postgres + rates.refreshes) * figures.coldDatabase) / 1_000;
  return events + candidates;
};

/** Computes what a month of thirty days costs at published prices. */
export const monthlyCosts = (traffic: Traffic, rates: HitRates, figures: Figures): Cost[] => {
  const odata = traffic.odataADay * DAYS;
  const hits = odata * traffic.hitsPerOdata;
  const messages = hits + odata * rates.flushes;
  const requests = odata + hits;
  const cpu = odata * figures.odataCpu + hits * (figures.trackingCpu + figures.consumerCpu);
  const keys = odata * rates.kvKeys;
  const puts = odata * rates.kvWrites;
  const operations = messages * OPERATIONS_OF_A_MESSAGE;
  const units = databaseCores(traffic, rates, figures) * 24 * DAYS;
  const gigabytes = (traffic.odataADay * traffic.hitsPerOdata * traffic.keptDays * figures.bytesPerEvent) / 1e9;
  return [
    { what: "Worker requests", amount: billions(requests), dollars: requests * PRICES.workerRequest },
    { what: "Worker CPU", amount: `${billions(cpu)} ms`, dollars: cpu * PRICES.workerCpuMs },
    { what: "KV keys read", amount: billions(keys), dollars: keys * PRICES.kvRead },
    { what: "KV puts", amount: billions(puts), dollars: puts * PRICES.kvWrite },
    { what: "queue operations", amount: billions(operations), dollars: operations * PRICES.queueOperation },
    {
      what: "Neon compute",
      amount: `${Math.round(units).toLocaleString("en-US")} CU-hours`,
      dollars: units * PRICES.neonCuHour,
    },
    {
      what: `Neon storage, ${traffic.keptDays} days of events`,
      amount: `${(gigabytes / 1_000).toFixed(0)} TB`,
      dollars: gigabytes * PRICES.neonGigabyteMonth,
    },
  ];
};

/** Computes the requests for offers a day at which the busiest hour meets each limit. */
export const limitsMet = (traffic: Traffic, rates: HitRates, figures: Figures) => {
  const daily = (aSecond: number): number => (aSecond * 86_400) / traffic.peak;
  return {
    queue: daily(LIMITS.queueMessages / (traffic.hitsPerOdata + rates.flushes)),
    oneCore: traffic.odataADay / (databaseCores(traffic, rates, figures) * traffic.peak),
    neon: (LIMITS.neonCu * traffic.odataADay) / (databaseCores(traffic, rates, figures) * traffic.peak),
  };
};
