import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { makeReport, makeReporter, reported, stands, type Reporter } from "../support/tracking/conversions.ts";
import { between } from "../support/faults/between.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { expectExactCounts, hitsOf, message } from "../support/tracking/hits.ts";

const REPORTS = 50;
const BATCH = 10;

let h: Harness;
let reporter: Reporter;

beforeAll(async () => {
  h = await startHarness();
  reporter = await makeReporter(h);
});
afterAll(() => h.close());

type Step = () => Promise<unknown>;

const batchesOf = <T>(values: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(values.length / BATCH) }, (_, i) => values.slice(i * BATCH, (i + 1) * BATCH));

/** Calls until the service answers in time: a queue delivers again, and an advertiser's server calls again. */
const insist =
  (call: () => Promise<readonly [number, unknown]>): Step =>
  () =>
    h.until(call, ([status]) => status < 500);

/** Reports all conversions and delivers all clicks twice, in a random order, all at once. */
const storm = async (reports: ReturnType<typeof makeReport>[], seed: number, more: Step[] = []): Promise<void> => {
  const deliveries = [reports, reports.toReversed()].flatMap((all) =>
    batchesOf(all.map(({ click }) => message(click))).map(
      (batch) => () =>
        h.until(
          () => h.deliver(batch),
          ({ ackAll }) => ackAll,
        ),
    ),
  );
  const calls = [...reports, ...reports].map(({ fields }) => insist(() => reporter.report(fields)));
  const steps = [...deliveries, ...calls, ...more];
  const [order = []] = fc.sample(fc.shuffledSubarray(steps, { minLength: steps.length }), { seed, numRuns: 1 });
  await Promise.all(order.map((step) => step()));
};

describe("a conversion and its click at the same time", () => {
  it("find each other when the click is stored after the report has looked for it", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await recordHits(h.db, [click]);
    const become = (outcome: string) => h.rows("update events set outcome = $1 where id = $2", [outcome, click.id]);
    await become("bot");
    const report = await between(
      h,
      2,
      () => reporter.report(fields),
      () => become("counted"),
    );
    expect(report).toEqual(reported("counted"));
    await expectExactCounts(h);
  });

  it("find each other when the report comes before the click's consumer looks for it", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await between(
      h,
      1,
      () => recordHits(h.db, [click]),
      () =>
        h.rows(
          `insert into pending_conversions (advertiser_id, transaction_id, event_id, decision_id, offer_id, reported_at)
          values ($1, $2, $3, $4, $5, now())`,
          [reporter.id, fields.transactionId, newId("event"), click.decisionId, id],
        ),
    );
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "conversion counted 1"]);
    await expectExactCounts(h);
  });
});

describe("conversions and their clicks, in any order, twice, at once", () => {
  it("are counted exactly once each, without the cron", async () => {
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const { id } = await reporter.offer();
        const reports = Array.from({ length: REPORTS }, () => makeReport(id));
        await storm(reports, seed);
        const counted =
          "select transaction_id as id from events where offer_id = $1 and outcome = 'counted' and kind = 'conversion'";
        const rows = await h.rows<{ id: string }>(counted, [id]);
        expect(rows.map((row) => row.id).toSorted()).toEqual(
          reports.map(({ fields }) => fields.transactionId).toSorted(),
        );
        expect(await h.rows("select * from pending_conversions where offer_id = $1", [id])).toEqual([]);
        await expectExactCounts(h);
      }),
      { numRuns: 3 },
    );
  });

  it("never exceed a cap, and leave exact counts when some are reversed meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(fc.noShrink(fc.integer()), async (seed) => {
        const { id } = await reporter.offer({ lifetimeCap: 10 });
        const reports = Array.from({ length: REPORTS }, () => makeReport(id));
        const reversals = reports.slice(0, 20).map(
          ({ fields: { transactionId } }) =>
            () =>
              reporter.reverse({ transactionId }),
        );
        await storm(reports, seed, [...reversals, ...reversals]);
        await expectExactCounts(h);
        // What was reversed before it was reported counts; in the end all of these are taken back.
        for (const reverse of reversals) await reverse();
        await expectExactCounts(h);
        const states = await h.rows<{ state: string; n: number }>(
          `select outcome || case when v.transaction_id is null then '' else ' and taken back' end as state, count(*)::int as n
          from events e left join conversion_reversals v on v.transaction_id = e.transaction_id
          where offer_id = $1 and kind = 'conversion' group by 1 order by 1`,
          [id],
        );
        const numberOf = (state: string) => states.find((row) => row.state === state)?.n ?? 0;
        expect(numberOf("reversed and taken back")).toBe(20);
        expect(numberOf("counted") + numberOf("over_cap")).toBe(REPORTS - 20);
        expect(numberOf("counted")).toBeLessThanOrEqual(10);
        expect(await hitsOf(h, id)).toContain(`click counted ${REPORTS}`);
      }),
      { numRuns: 2 },
    );
  });
});

describe("a known transaction", () => {
  it("of two reports at once that differ has the values of one, and the other is told", async () => {
    const { id } = await reporter.offer();
    for (const isEarly of [true, false]) {
      const { click, fields } = makeReport(id);
      if (!isEarly) await h.deliver([message(click)]);
      const answers = await Promise.all([1, 2, 3, 4].map((amount) => reporter.report({ ...fields, amount })));
      expect(answers.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([isEarly ? 202 : 200, 409, 409, 409]);
      const won = answers.findIndex(([status]) => status < 300) + 1;
      expect(await reporter.outcome(fields.transactionId)).toEqual(
        stands(isEarly ? "pending" : "counted", { amount: won }),
      );
    }
  });
});
