import { beforeAll, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { clickId } from "../../../functions/answer/destination.ts";
import { wrapped } from "../../support/api.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { makeReport, makeReporter, reported, type Reporter } from "../../support/tracking/conversions.ts";
import { DAY, idAt } from "../../support/tracking/hits.ts";

// A server that can only call a URL reports as others do, and is answered the same.

let h: Harness;
let reporter: Reporter;
beforeAll(async () => {
  h = await sharedHarness();
  reporter = await makeReporter(h);
});

type Fields = ReturnType<typeof makeReport>["fields"];
const report = ({ amount, ...fields }: Fields) => reporter.list({ ...fields, amount: String(amount) });

it("takes a report before its click and after it", async () => {
  const { click, fields } = makeReport((await reporter.offer()).id);
  expect(await report(fields)).toEqual(reported("pending"));
  await recordHits(h.db, [click]);
  expect((await report(fields))[0]).toBe(200);
});

it("tells the second of two reports that differ", async () => {
  const { click, fields } = makeReport((await reporter.offer()).id);
  await recordHits(h.db, [click]);
  expect(await report(fields)).toEqual(reported("counted"));
  const { transactionId } = fields;
  expect(await report({ ...fields, amount: 21 })).toEqual([
    409,
    wrapped("CONFLICT", { transactionId, changed: ["amount"] }),
  ]);
});

it("refuses a click of another advertiser, one that cannot be, and one that is too old", async () => {
  const other = await makeReporter(h);
  const { fields: foreign } = makeReport((await other.offer()).id);
  expect(await report(foreign)).toEqual([403, wrapped("FORBIDDEN")]);
  const { fields: unknown } = makeReport(newId("offer"));
  expect(await report(unknown)).toEqual([404, wrapped("NOT_FOUND", { clickId: unknown.clickId })]);
  const { id } = await reporter.offer();
  const decisionId = idAt("decision", Date.now() - 32 * DAY);
  const { click } = makeReport(id, { decisionId, occurredAt: Date.now() - 31 * DAY });
  await recordHits(h.db, [click]);
  expect(await report({ ...unknown, clickId: clickId(click) })).toEqual([410, wrapped("CLICK_EXPIRED")]);
});

it("tells of a transaction that nobody reported", async () => {
  const transactionId = newId("event");
  expect(await reporter.outcome(transactionId)).toEqual([404, wrapped("NOT_FOUND", { transactionId })]);
});
