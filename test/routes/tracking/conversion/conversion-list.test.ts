import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { wrapped } from "../../../support/api.ts";
import { dayText, makeReport, makeReporter, reported, type Reporter } from "../../../support/tracking/conversions.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
let reporter: Reporter;
/** Holds transactions, the newest first. */
const transactions: string[] = [];

type Listed = { data: { transactionId: string; state: string }[]; pagination: object; summary: object[] };

/** Makes a conversion of an offer that pays a dollar and is capped at three. */
const make = async (offerId: string, daysAgo: number, hasClick: boolean, money: object, reverse = false) => {
  const { click, fields } = makeReport(offerId);
  if (hasClick) await recordHits(h.db, [click]);
  await reporter.report({ ...fields, ...money });
  if (reverse) await reporter.reverse({ transactionId: fields.transactionId, reason: "refund" });
  const earlier = `- interval '1 day' * $1 where transaction_id = $2`;
  await h.rows(`update events set occurred_at = occurred_at ${earlier}`, [daysAgo, fields.transactionId]);
  await h.rows(`update pending_conversions set reported_at = reported_at ${earlier}`, [daysAgo, fields.transactionId]);
  transactions.push(fields.transactionId);
};

beforeAll(async () => {
  h = await startHarness();
  reporter = await makeReporter(h);
  const { id } = await reporter.offer({ lifetimeCap: 3 });
  await make(id, 0, true, { amount: 10.1, currency: "EUR" });
  await make(id, 0, true, { amount: 0.2, currency: "EUR" });
  await make(id, 1, true, { amount: 7, currency: "USD" }, true);
  await make(id, 2, true, { amount: undefined, currency: undefined });
  await make(id, 3, true, { amount: 99.9, currency: "EUR" });
  await make(id, 4, false, { amount: 5, currency: "EUR" });
  await make(id, 10, false, { amount: 5, currency: "EUR" });
  await make(id, 40, true, { amount: 1, currency: "EUR" });
  // Of one day, the later report comes first.
  transactions.splice(0, 2, ...transactions.slice(0, 2).toReversed());
  const other = await makeReporter(h);
  const theirs = makeReport((await other.offer()).id);
  await recordHits(h.db, [theirs.click]);
  await other.report(theirs.fields);
});
afterAll(() => h.close());

const list = async (query: Record<string, string> = {}): Promise<Listed> => {
  const [status, json] = await reporter.list(query);
  expect(status).toBe(200);
  return json as Listed;
};
const shown = ({ data }: Listed) =>
  data.map(({ transactionId, state }) => `${transactions.indexOf(transactionId)} ${state}`);

describe("an advertiser's conversions", () => {
  it("are its own, of the last 30 days, newest first, each with its state", async () => {
    const listed = await list();
    expect(shown(listed)).toEqual([
      "0 counted",
      "1 counted",
      "2 reversed",
      "3 counted",
      "4 over_cap",
      "5 pending",
      "6 expired",
    ]);
    expect(listed.data[2]).toEqual({
      transactionId: transactions[2],
      clickId: expect.stringMatching(/^\w{26}-\w{26}$/),
      offerId: expect.stringMatching(/^ofr_/),
      state: "reversed",
      reportedAt: expect.stringMatching(/Z$/),
      amount: 7,
      currency: "USD",
      gross: 0,
      reversedAt: expect.stringMatching(/Z$/),
      reason: "refund",
    });
    expect(listed.pagination).toEqual({ total: 7, skip: 0, take: 50, hasMore: false });
  });

  it("come with sums of what was paid, by state and currency, beside what is owed", async () => {
    expect((await list()).summary).toEqual([
      { state: "counted", currency: "EUR", conversions: 2, amount: 10.3, gross: 2 },
      { state: "counted", currency: null, conversions: 1, amount: null, gross: 1 },
      { state: "expired", currency: "EUR", conversions: 1, amount: 5, gross: 0 },
      { state: "over_cap", currency: "EUR", conversions: 1, amount: 99.9, gross: 0 },
      { state: "pending", currency: "EUR", conversions: 1, amount: 5, gross: 0 },
      { state: "reversed", currency: "USD", conversions: 1, amount: 7, gross: 0 },
    ]);
  });

  it("come in pages, whose sums are of all of them", async () => {
    const page = await list({ skip: "1", take: "2", state: "counted" });
    expect(shown(page)).toEqual(["1 counted", "3 counted"]);
    expect(page.pagination).toEqual({ total: 3, skip: 1, take: 2, hasMore: false });
    expect(page.summary).toMatchObject([{ conversions: 2 }, { conversions: 1 }]);
  });

  it.each<[Record<string, string>, string[]]>([
    [{ day: dayText(1) }, ["2 reversed"]],
    [{ day: dayText(6) }, []],
    [{ dateStart: dayText(4), dateEnd: dayText(2) }, ["3 counted", "4 over_cap", "5 pending"]],
    [{ dateStart: dayText(50), dateEnd: dayText(39) }, ["7 over_cap"]],
    [{ state: "pending" }, ["5 pending"]],
    [{ state: "expired", dateStart: dayText(10), dateEnd: dayText() }, ["6 expired"]],
    [{ state: "reversed", day: dayText() }, []],
  ])("are those of %j", async (query, expected) => {
    const listed = await list(query);
    expect(shown(listed)).toEqual(expected);
    expect(listed.pagination).toMatchObject({ total: expected.length });
  });

  it.each<[Record<string, string>, string, string]>([
    [{ day: "2026-11-22" }, "day", "must be a day as YYYYMMDD"],
    [{ day: dayText(181) }, "day", "must be at most 180 days back"],
    [{ day: dayText(), dateEnd: dayText() }, "day", "cannot come with dateStart or dateEnd"],
    [{ dateStart: dayText() }, "dateEnd", "is required with dateStart"],
    [{ dateEnd: dayText() }, "dateStart", "is required with dateEnd"],
    [{ dateStart: dayText(), dateEnd: dayText(1) }, "dateEnd", "must not be before dateStart"],
    [{ dateStart: dayText(181), dateEnd: dayText(1) }, "dateStart", "must be at most 180 days back"],
    [{ state: "duplicate" }, "state", "must be one of pending, counted, over_cap, reversed, expired"],
    [{ take: "101" }, "take", "must be between 1 and 100"],
    [{ transactionId: "" }, "transactionId", "is required"],
  ])("are refused with %j", async (query, field, message) => {
    expect(await reporter.list(query)).toEqual([
      400,
      wrapped("VALIDATION_FAILED", { invalidFields: [{ field, message }] }),
    ]);
  });

  it.each(["", "?transactionId=t"])("need the secret of now: %j", async (query) => {
    for (const secret of [null, makeKey("conversion")]) {
      const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
      const response = await h.fetch(`/conversion${query}`, { headers });
      expect([response.status, await response.json()]).toEqual([401, wrapped("UNAUTHORIZED")]);
    }
    const join = query === "" ? "?" : "&";
    for (const accept of ["*/*", "image/png"]) {
      const response = await h.fetch(`/conversion${query}${join}secret=${reporter.secret}`, { headers: { accept } });
      expect([response.status, await response.json()]).toEqual([401, wrapped("UNAUTHORIZED")]);
    }
  });

  it("are no answer to a report whose click id is empty", async () => {
    expect(await reporter.list({ clickId: "", transactionId: "t" })).toEqual([
      400,
      wrapped("VALIDATION_FAILED", { invalidFields: [{ field: "clickId", message: "is required" }] }),
    ]);
  });
});

const tested = (state: string) => [
  state === "pending" ? 202 : 200,
  { success: true, data: { counted: false, state, test: true }, message: "Test received; nothing was counted" },
];

describe("a test", () => {
  const known = "select (select count(*)::int from events) + (select count(*)::int from pending_conversions) as n";

  it("tells what would become of a report, and changes nothing", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 1 });
    const [first, second, early] = [makeReport(id), makeReport(id), makeReport(id)];
    await recordHits(h.db, [first.click, second.click]);
    const before = await h.rows(known);
    for (const test of [true, "true"]) {
      expect(await reporter.report({ ...first.fields, test })).toEqual(tested("counted"));
      expect(await reporter.report({ ...early.fields, test })).toEqual(tested("pending"));
    }
    expect(await h.rows(known)).toEqual(before);
    expect(await reporter.report({ ...first.fields, test: false })).toEqual(reported("counted"));
    expect(await reporter.report({ ...first.fields, test: true })).toEqual(tested("counted"));
    expect(await reporter.report({ ...second.fields, test: true })).toEqual(tested("over_cap"));
    const url = new URLSearchParams({ ...second.fields, amount: "20", test: "true" });
    expect(await reporter.list(Object.fromEntries(url))).toEqual(tested("over_cap"));
  });

  it("is refused as a report is", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await recordHits(h.db, [click]);
    await reporter.report(fields);
    const refused = async (change: object) => (await reporter.report({ ...fields, test: true, ...change }))[0];
    expect(await refused({ test: "yes" })).toBe(400);
    expect(await refused({ amount: -1 })).toBe(400);
    expect(await refused({ amount: 21 })).toBe(409);
    expect(await refused({ clickId: fields.clickId.replace(/^.{10}/, "0".repeat(10)) })).toBe(404);
    const { id: theirs } = await (await makeReporter(h)).offer();
    expect(await refused({ clickId: makeReport(theirs).fields.clickId })).toBe(403);
    const response = await h.fetch("/conversion", { method: "POST", body: JSON.stringify(fields) });
    expect(response.status).toBe(401);
  });
});
