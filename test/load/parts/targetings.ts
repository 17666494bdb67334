import { connect } from "../../../db/core/client.ts";
import { buildStatement } from "../../../db/documents/build.ts";
import { documentKey, type DocumentKey } from "../../../db/documents/keys.ts";
import { narrowingOf } from "../../../db/documents/candidates/narrowing.ts";
import type { Bench } from "../context.ts";
import { fixed, type PartResult } from "../report.ts";
import type { Database } from "../servers/database.ts";
import { databaseTime } from "../servers/database-time.ts";
import { ids } from "../servers/fill.ts";

const OFFERS = 10_000;
const TIMED = 25;
const LIMIT_MS = 10;

const OPEN = "countries = '{}', languages = '{}', currencies = '{}', amount_min = null, amount_max = null";
const SITE = "'site_' || lpad((serial)::text, 26, '0')";

/** Lists SQL by name that gives all offers a targeting which makes candidates hard to find. */
const TARGETINGS: Record<string, string> = {
  "deals, each for a site of its own": `${OPEN}, include_sites = array[${SITE}]`,
  "deals, all for one site": `${OPEN}, include_sites = array[${SITE.replace("serial", "1")}]`,
  "each for one of 676 languages": `countries = '{}', include_sites = '{}', currencies = '{}',
    languages = array[chr(97 + serial / 26 % 26) || chr(97 + serial % 26)]`,
  "each for amounts of its own": `countries = '{}', include_sites = '{}', languages = '{}', currencies = '{USD}',
    amount_min = serial % 997, amount_max = serial % 997 + 3`,
};

const FACTS = { language: "en", currency: "USD", paymentType: "paypal", amount: 120 };

/** Measures the database's processor time for building a document, in milliseconds. */
const timeOf = async (database: Database, key: DocumentKey): Promise<number> => {
  const { sql, params } = buildStatement(connect(database.url), [key]).getQuery();
  return databaseTime(database.pool, sql, Array<unknown[]>(TIMED).fill(params));
};

const sizeOf = async (database: Database, key: DocumentKey): Promise<number> => {
  const { rows } = await buildStatement(connect(database.url), [key]);
  return JSON.stringify(rows[0]?.value).length;
};

/** Measures the lists of candidates in the worst targetings, and the network's document when every offer was stopped. */
export const targetings = async (bench: Bench): Promise<PartResult> => {
  const database = await bench.database({ placements: 1, offers: OFFERS, sites: 1 });
  const change = async (set: string) => {
    await database.pool.query(`update offers set ${set}`);
    await database.pool.query("vacuum analyze");
  };
  const asked = { languages: ["en"], currencies: ["USD"], paymentTypes: ["paypal"] };
  const broad = documentKey.candidates(ids.placement(1), "US");
  const narrow = documentKey.narrow(ids.placement(1), "US", narrowingOf(FACTS, asked));
  const measured: { name: string; broad: number; narrow: number }[] = [];
  for (const [name, set] of Object.entries(TARGETINGS)) {
    await change(set);
    measured.push({ name, broad: await timeOf(database, broad), narrow: await timeOf(database, narrow) });
  }
  await change("status = 'paused'");
  const stops = {
    bytes: await sizeOf(database, documentKey.network),
    ms: await timeOf(database, documentKey.network),
  };
  const worst = Math.max(...measured.flatMap((of) => [of.broad, of.narrow]));
  return {
    tables: [
      {
        title: "Lists of candidates out of 10,000 offers, and their stop",
        columns: ["offers", "list, DB CPU ms", "narrower list, DB CPU ms"],
        rows: [
          ...measured.map((of) => [of.name, fixed(of.broad), fixed(of.narrow)]),
          [`all stopped: the network's document, ${fixed(stops.bytes / 1_000, 0)} KB`, fixed(stops.ms), ""],
        ],
      },
    ],
    bars: [
      {
        what: "growth: a list of candidates in the worst targeting",
        bar: `≤ ${LIMIT_MS} ms of the database`,
        measured: `${fixed(worst)} ms`,
        met: worst <= LIMIT_MS,
      },
    ],
    data: { measured, stops },
  };
};
