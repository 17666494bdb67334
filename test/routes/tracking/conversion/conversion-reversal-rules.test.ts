import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { wrapped } from "../../../support/api.ts";
import { makeReport, makeReporter, type Reporter } from "../../../support/tracking/conversions.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
let reporter: Reporter;

beforeAll(async () => {
  h = await startHarness();
  reporter = await makeReporter(h);
});
afterAll(() => h.close());

/** Makes a counted conversion, and returns its transaction. */
const convert = async (): Promise<string> => {
  const { click, fields } = makeReport((await reporter.offer()).id);
  await recordHits(h.db, [click]);
  await reporter.report(fields);
  return fields.transactionId;
};
const send = async (body: string, headers: Record<string, string>) => {
  const response = await h.fetch("/conversion/reversal", { method: "POST", headers, body });
  return [response.status, await response.json()] as const;
};
const refused = (field: string, text: string) => [
  400,
  wrapped("VALIDATION_FAILED", { invalidFields: [{ field, message: text }] }),
];

describe("what is sent to reverse a conversion", () => {
  it("may be a form, and a test that changes nothing", async () => {
    const transactionId = await convert();
    const form = { "content-type": "application/x-www-form-urlencoded", authorization: `Bearer ${reporter.secret}` };
    const fields = { transactionId };
    const tested = await send(new URLSearchParams({ ...fields, test: "true" }).toString(), form);
    expect(tested).toMatchObject([200, { data: { state: "counted", reversedAt: null, test: true } }]);
    expect(await reporter.outcome(transactionId)).toMatchObject([200, { data: { state: "counted" } }]);
    expect(await send(new URLSearchParams(fields).toString(), form)).toMatchObject([
      200,
      { data: { state: "reversed" } },
    ]);
  });

  it("is refused with a field that is wrong", async () => {
    expect(await reporter.reverse({})).toEqual(refused("transactionId", "is required"));
    expect(await reporter.reverse({ transactionId: "t", reason: "x".repeat(2_001) })).toEqual(
      refused("reason", "must have at most 2000 characters"),
    );
    for (const reason of ["", " "]) {
      expect(await reporter.reverse({ transactionId: "t", reason })).toEqual(refused("reason", "must not be empty"));
    }
    for (const test of ["perhaps", ""]) {
      expect(await reporter.reverse({ transactionId: "t", test })).toEqual(refused("test", "must be true or false"));
    }
  });

  it("is refused for a transaction that this advertiser never reported", async () => {
    const transactionId = await convert();
    const other = await makeReporter(h);
    const unknown = [404, wrapped("NOT_FOUND", { transactionId })];
    expect(await other.reverse({ transactionId })).toEqual(unknown);
    expect(await other.reverse({ transactionId, test: true })).toEqual(unknown);
    expect(await other.outcome(transactionId)).toEqual(unknown);
    expect(await reporter.outcome(transactionId)).toMatchObject([200, { data: { state: "counted" } }]);
    expect(await h.rows("select * from conversion_reversals where transaction_id = $1", [transactionId])).toEqual([]);
  });

  it.each([
    ["nothing", {}],
    ["an unknown secret", { authorization: `Bearer ${makeKey("conversion")}` }],
  ])("needs a secret: %s", async (_, headers) => {
    const json = { ...headers, "content-type": "application/json" };
    expect(await send(JSON.stringify({ transactionId: "t" }), json)).toEqual([401, wrapped("UNAUTHORIZED")]);
  });
});
