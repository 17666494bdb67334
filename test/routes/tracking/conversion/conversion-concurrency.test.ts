import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UnavailableError } from "../../../../db/core/errors.ts";
import { reverseConversion } from "../../../../db/tracking/conversions/reverse.ts";
import { makeReport, makeReporter, reported, stands, type Reporter } from "../../../support/tracking/conversions.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { message } from "../../../support/tracking/hits.ts";

let h: Harness;
let reporter: Reporter;
let holder: pg.Client;

beforeAll(async () => {
  h = await startHarness();
  holder = new pg.Client(h.postgresUrl);
  await holder.connect();
  reporter = await makeReporter(h);
});
afterAll(async () => {
  await holder.end();
  await h.close();
});

/**
 * Reverses a transaction, and does something else once the reversal has noted what it knows and is about to take the
 * transaction out of what counts.
 */
const reverseAround = async <Answer>(reverse: () => Promise<Answer>, meanwhile: () => Promise<unknown>) => {
  await holder.query("begin; lock table daily_hits in share mode");
  const reversal = reverse();
  // Its failure is looked at below.
  reversal.catch(() => undefined);
  await h.until(
    () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
    (waiting) => waiting > 0,
  );
  await meanwhile();
  await holder.query("commit");
  return reversal;
};

it("a reversal is answered 200 only if it was made, also where the conversion is stored at the same moment", async () => {
  const { id } = await reporter.offer();
  const { click, fields } = makeReport(id);
  const { transactionId } = fields;
  const answer = await reverseAround(
    () => reporter.reverse({ transactionId }),
    async () => expect(await reporter.report(fields)).toEqual(reported("pending")),
  );
  expect(answer).toEqual([200, expect.objectContaining({ message: "Conversion reversed" })]);
  expect(answer).toEqual(stands("reversed", { gross: 0, reversedAt: expect.any(String) }));
  await h.deliver([message(click)]);
  expect(await reporter.outcome(transactionId)).toEqual(stands("reversed", { gross: 0 }));
  expect(await h.count("events where offer_id = $1 and outcome = 'counted' and kind = 'conversion'", [id])).toBe(0);
});

it("a reversal that could not be made says so", async () => {
  const { fields } = makeReport((await reporter.offer()).id);
  const transaction = { advertiserId: reporter.id, transactionId: fields.transactionId };
  const reversal = reverseAround(
    () => reverseConversion(h.db, transaction, null, 1),
    async () => expect(await reporter.report(fields)).toEqual(reported("pending")),
  );
  await expect(reversal).rejects.toThrow(UnavailableError);
  expect(await reporter.outcome(fields.transactionId)).toEqual(stands("pending"));
});
