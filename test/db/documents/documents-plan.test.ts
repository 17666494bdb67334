import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PLANNED_WITH, routines, type Routine } from "../../../db/documents/routines.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const OFFERS = 3_000;
/** More than are listed, and as many again. */
const FEW = 150;
/** More slim rows than are looked at one by one. */
const BEST = 500;

/** Describes a step of a plan: `Actual Rows` and what its filter removed are per loop. */
type Step = {
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Step[];
};

let h: Harness;
let session: pg.Client;
let placementId: string;
/** Holds what was read by a plan that was made for one offer. */
let early: Reading;
let pausedId: string;

// Has forty advertisers. One offer in a thousand is for IS; half have caps, some with weeks of usage. As many again are
// archived.
const fill = async (offerId: string) => {
  await h.rows(`insert into advertisers overriding user value select (jsonb_populate_record(a, jsonb_build_object('id', 'adv_' || n, 'name', n,
      'conversion_secret_hash', n))).* from advertisers a, generate_series(1, 40) n where a.id = '${pausedId}'`);
  await h.rows(
    `insert into offers overriding user value select (jsonb_populate_record(o, jsonb_build_object('id', 'ofr_' || n, 'advertiser_id',
      'adv_' || 1 + n % 40, 'priority', 1 + n % 5, 'status', case when n > $2 then 'archived' else 'active' end,
      'ecpm_micros', n, 'countries', case when n % 1000 = 1 then '["IS"]' else '["US", "CA"]' end::jsonb,
      'daily_cap', case when n % 2 = 0 then 1000 end, 'lifetime_cap', case when n % 4 = 0 then 1000000 end,
      'created_at', now(), 'changed_at', now() - interval '1 day' * ((n - 1) / $2) * 3))).*
    from offers o, generate_series(1, 2 * $2) n where o.id = $1`,
    [offerId, OFFERS],
  );
  await h.rows(`insert into offer_usage select id, current_date - day, 1 from offers, generate_series(0, 29) day
    where daily_cap is not null and status = 'active' and ecpm_micros % 5 = 0`);
};

beforeAll(async () => {
  h = await startHarness();
  placementId = (await makeInventory(h.db)).placement.id;
  await h.rows("delete from offers");
  await h.rows("vacuum full offers, offer_ranks");
  pausedId = (await makeAdvertiser(h.db)).id;
  const offerId = (await makeOffer(h.db, pausedId)).id;
  session = new pg.Client(h.postgresUrl);
  await session.connect();
  for (const setting of PLANNED_WITH) await session.query(`set ${setting}`);
  await prepare("early", routines().candidates);
  await run("early", [placementId, "US"]);
  await fill(offerId);
  early = readingOf(await run("early", [placementId, "US"]));
  await h.rows("analyze");
});
afterAll(async () => {
  await session.end();
  await h.close();
});

const steps = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(steps)];
const readOf = (step: Step): number =>
  (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"];

type Reading = { slim: number; rows: number; indexes: Set<string | undefined> };

const listed = (values: readonly string[]): string => (values.length > 0 ? `(${values.join()})` : "");

/** Gives a routine's query a name, under which the session keeps its plan as the routine does. */
const prepare = async (name: string, { types, query }: Routine): Promise<void> =>
  void (await session.query(`prepare ${name}${listed(types)} as ${query}`));

/** Runs a query by its name, and returns the steps of its plan. */
const run = async (name: string, values: readonly string[]): Promise<Step[]> => {
  const { rows } = await session.query<{ "QUERY PLAN": [{ Plan: Step }] }>(
    `explain (analyze, format json) execute ${name}${listed(values.map((value) => `'${value}'`))}`,
  );
  return steps(rows[0]?.["QUERY PLAN"][0].Plan as Step);
};

/** Counts the slim rows of offers, and the rows of offers and of their usage, that building a document reads. */
const readingOf = (all: Step[]): Reading => {
  const read = (tables: readonly string[]) =>
    all.filter((step) => tables.includes(step["Relation Name"] ?? "")).reduce((sum, step) => sum + readOf(step), 0);
  return {
    slim: read(["offer_ranks"]),
    rows: read(["offers", "offer_usage"]),
    indexes: new Set(all.map((step) => step["Index Name"]).filter((name) => name?.startsWith("offer"))),
  };
};

const reading = async (routine: Routine, ...values: readonly string[]): Promise<Reading> => {
  await prepare("routine", routine);
  const all = await run("routine", values);
  await session.query("deallocate routine");
  return readingOf(all);
};

describe("of thousands of offers, building", () => {
  it("the candidates of a country that most are for reads the best", async () => {
    const { slim, rows, indexes } = await reading(routines().candidates, placementId, "US");
    expect(rows).toBe(28);
    expect(slim).toBeLessThan(BEST);
    expect(indexes).toContain("offer_ranks_order_idx");
  });

  it("candidates by a plan that was made for one offer reads no more of them", () => {
    expect(early.rows).toBe(28);
    expect(early.slim).toBeLessThan(2 * OFFERS);
  });

  it.each([
    ["IS", 4],
    ["ZZ", 1],
  ])("the candidates of %s, which only %i are for, looks at each slim row about once", async (country, fitting) => {
    const { slim, rows } = await reading(routines().candidates, placementId, country);
    expect(rows).toBe(fitting);
    expect(slim).toBeLessThan(OFFERS + BEST);
  });

  it("the network's document reads those that it names", async () => {
    expect((await reading(routines().network)).rows).toBeLessThan(FEW);
    await h.rows("update offers set status = 'paused' where id in ('ofr_1', 'ofr_2')");
    await h.rows("update offers set capped_through = 'infinity' where id in ('ofr_3', 'ofr_4')");
    await h.rows("update offers set advertiser_id = $1 where id in ('ofr_5', 'ofr_6')", [pausedId]);
    await h.rows("update advertisers set status = 'paused' where id = $1", [pausedId]);
    const { rows, indexes } = await reading(routines().network);
    expect(rows).toBeGreaterThanOrEqual(6);
    expect(rows).toBeLessThan(FEW);
    expect(indexes).toContain("offers_changed_idx");
  });
});
