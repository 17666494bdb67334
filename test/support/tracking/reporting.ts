import { newId } from "../../../db/core/ids.ts";
import { dailyCounters } from "../../../db/schema/counters.ts";
import { api, dataOf } from "../api.ts";
import type { Harness } from "../harness.ts";

const DAY = 86_400_000;

/** Returns the day a number of days from now, as it is stored. */
export const day = (offset = 0) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10);

/** Returns the day a number of days before another. */
export const before = (iso: string, days = 1) => new Date(Date.parse(iso) - days * DAY).toISOString().slice(0, 10);

/** Writes a day as requests for reports have it. */
export const compact = (iso: string) => iso.replaceAll("-", "");

/** Returns the parameters of a range of days, both included. */
export const range = (from: string, to = from) => ({ dateStart: compact(from), dateEnd: compact(to) });

type Row = Record<string, string | number | null>;
type Counts = Partial<typeof dailyCounters.$inferInsert>;

/** Holds parameters of a report; a repeated one has several values. */
export type Asked = Record<string, string | string[]>;

/** Returns the address of a report. */
export const reportPath = (asked: Asked) => {
  const pairs = Object.entries(asked).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return `/api/report?${new URLSearchParams(pairs).toString()}`;
};

/** Makes what tests of reports need: functions for counters at placements, and for reports in JSON and CSV. */
export const reporting = (harness: () => Harness) => {
  const ask = (token: string, asked: Asked) => api(harness(), "GET", reportPath(asked), { token });
  return {
    ask,
    /** Asks for the last 30 days, unless parameters say otherwise. */
    rows: async (token: string, asked: Asked) =>
      dataOf<Row[]>(await ask(token, { ...range(day(-30), day()), ...asked })),
    /** Asks for today as CSV, unless parameters say otherwise. */
    csv: async (token: string, asked: Asked, accept = "text/csv") => {
      const headers = { authorization: `Bearer ${token}`, accept };
      const response = await harness().fetch(reportPath({ ...range(day()), ...asked }), { headers });
      return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
    },
    /** Adds counts at a placement, as its owner's. */
    count: async (placementId: string, given: Counts = {}) => {
      const h = harness();
      const [owner] = await h.rows<{ siteId: string; publisherId: string }>(
        `select s.id as "siteId", s.publisher_id as "publisherId"
        from placements p join sites s on s.id = p.site_id where p.id = $1`,
        [placementId],
      );
      const offerId = newId("offer");
      await h.db
        .insert(dailyCounters)
        .values({ day: day(), placementId, offerId, advertiserId: "", country: "US", ...owner, ...given });
    },
    /**
     * Adds counts to all parts of an arm of a publisher: requests, and money in whole USD by the number of the part.
     */
    part: (publisherId: string, arm: string, requests: number, usd: (part: number) => number, on = day(-3)) =>
      Promise.all(
        Array.from({ length: 64 }, (_, number) =>
          harness().rows(
            `insert into daily_parts (publisher_id, day, arm, part, requests, gross_micros, revenue_micros)
            values ($1, $2, $3, $4, $5, $6, $7)`,
            [publisherId, on, arm, number, requests, 2e6 * usd(number), 1e6 * usd(number)],
          ),
        ),
      ),
    grant: (publisherId: string, revenue: boolean, gross: boolean) =>
      harness().rows("update api_tokens set revenue_access = $2, gross_access = $3 where publisher_id = $1", [
        publisherId,
        revenue,
        gross,
      ]),
  };
};

/** Holds counters of every kind; {@link SHOWN} is what a report shows of them besides money. */
export const ALL: Counts = {
  requests: 100,
  fills: 90,
  impressions: 40,
  viewables: 30,
  clicks: 3,
  closes: 7,
  declines: 4,
  endings: 2,
  conversions: 2,
  transactions: 1,
  grossMicros: 5_000_001,
  revenueMicros: 3_500_000,
};
export const SHOWN = {
  requests: 100,
  fills: 90,
  impressions: 40,
  viewable: 30,
  clicks: 3,
  closes: 7,
  declines: 4,
  conversions: 2,
  transactions: 1,
  ctr: 0.075,
  goOn: 0.666667,
};
