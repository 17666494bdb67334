import { sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import type { Page } from "../../core/paging.ts";
import type { ConversionState } from "../../schema/values.ts";
import { conversionObject, conversionRows, type StoredConversion } from "./rows.ts";

/** Says which of an advertiser's conversions to list. Days are UTC, `YYYY-MM-DD`, both included. */
export type ConversionFilter = { from: string; to: string; state?: ConversionState | undefined };

/**
 * Adds up conversions of one state and currency: what the advertiser's customers paid, in millionths of the currency's
 * unit, and what the advertiser owes, in micro-USD. Conversions without an amount may have no currency.
 */
export type ConversionSum = {
  state: ConversionState;
  currency: string | null;
  conversions: number;
  amountMicros: number | null;
  grossMicros: number;
};

/** Lists an advertiser's conversions by the day of their report, newest first, and adds up all of them. */
export const listConversions = async (
  db: Db,
  advertiser: string,
  { from, to, state }: ConversionFilter,
  page: Page,
): Promise<{ rows: StoredConversion[]; total: number; sums: ConversionSum[] }> => {
  const rows = conversionRows(
    ({ advertiserId, reportedAt }) => sql`
      ${advertiserId} = ${advertiser} and ${reportedAt} >= ${from}::timestamp at time zone 'UTC'
      and ${reportedAt} < (${to}::timestamp + interval '1 day') at time zone 'UTC'`,
  );
  const wanted = sql`(${rows}) c where ${state === undefined ? sql`true` : sql`c.state = ${state}`}`;
  const [listed, summed] = await db.batch([
    db.execute<{ conversion: StoredConversion }>(sql`
      select ${conversionObject} as conversion from ${wanted}
      order by c.reported_at desc, c.event_id offset ${page.skip}::bigint limit ${page.take}::bigint`),
    db.execute<ConversionSum>(sql`
      select c.state, c.currency, count(*)::double precision as conversions,
        sum(c.amount_micros)::double precision as "amountMicros", sum(c.gross_micros)::double precision as "grossMicros"
      from ${wanted} group by c.state, c.currency order by c.state, c.currency`),
  ]);
  return {
    rows: listed.rows.map(({ conversion }) => conversion),
    total: summed.rows.reduce((total, { conversions }) => total + conversions, 0),
    sums: summed.rows,
  };
};
