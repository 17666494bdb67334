import type { Cell } from "../../http/answers/csv.ts";
import { armName } from "../../decision/arms.ts";
import { isOfOffers, membersOf, type ReportQuery, type ReportRow } from "../../../db/tracking/reports.ts";
import type { Actor } from "../../../db/accounts/actor.ts";
import type { HitsRow } from "../../../db/tracking/hit-report.ts";
import { MICROS } from "../../../db/core/money.ts";

/** Says which money a caller may see. */
export type MoneyAccess = { revenueAccess: boolean; grossAccess: boolean };

/** Returns which money an actor may see: for publishers, their token decides; others see all of it. */
export const accessOf = (actor: Actor): MoneyAccess =>
  actor.kind === "publisher" ? actor : { revenueAccess: true, grossAccess: true };

/** Returns a share to six digits; null if the whole is nothing. */
export const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * MICROS) / MICROS;

/** Returns money per thousand requests in USD, to six digits; null where there were none. */
export const perThousand = (micros: number, requests: number): number | null =>
  requests === 0 ? null : Math.round((1_000 * micros) / requests) / MICROS;

/** Holds an empty row, from which columns are named and days without traffic are made. */
export const NOTHING: ReportRow = {
  period: null,
  requests: 0,
  fills: 0,
  impressions: 0,
  viewable: 0,
  clicks: 0,
  closes: 0,
  declines: 0,
  endings: 0,
  conversions: 0,
  transactions: 0,
  revenueMicros: 0,
  grossMicros: 0,
};

/**
 * Returns a function that formats a report's rows, in one order for JSON and CSV: what they are split by, counts, then
 * the money that the caller may see, in USD with up to six decimals. `date` is the first day of a period.
 */
export const reportRowOf = (query: ReportQuery, access: MoneyAccess): ((row: ReportRow) => Record<string, Cell>) => {
  const members = query.groups.flatMap(membersOf);
  const ofOffers = isOfOffers(query);
  const ofArms = query.groups.includes("ARM");
  const compared = ofArms && !ofOffers;
  return (row) => ({
    ...(query.breakdown === "NONE" ? {} : { date: row.period }),
    ...Object.fromEntries(
      members.map((member) => [member, member === "arm" && row.arm ? armName(row.arm) : (row[member] ?? null)]),
    ),
    ...(ofOffers ? {} : { requests: row.requests, fills: row.fills }),
    impressions: row.impressions,
    viewable: row.viewable,
    clicks: row.clicks,
    closes: row.closes,
    declines: row.declines,
    conversions: row.conversions,
    transactions: row.transactions,
    ctr: share(row.clicks, row.impressions) ?? 0,
    // Closes of unknown kind are left out.
    goOn: share(row.declines, row.declines + row.endings),
    ...(ofArms ? { conversionRate: share(row.conversions, row.clicks) } : {}),
    ...(compared ? { fillRate: share(row.fills, row.requests) } : {}),
    ...(access.revenueAccess ? { revenue: row.revenueMicros / MICROS } : {}),
    ...(access.revenueAccess && compared ? { revenuePerThousand: perThousand(row.revenueMicros, row.requests) } : {}),
    ...(access.grossAccess
      ? { gross: row.grossMicros / MICROS, profit: (row.grossMicros - row.revenueMicros) / MICROS }
      : {}),
    ...(access.grossAccess && compared ? { grossPerThousand: perThousand(row.grossMicros, row.requests) } : {}),
  });
};

/** Returns a function that formats rows of hits, with what is owed in USD. */
export const hitRowOf =
  (byCountry: boolean) =>
  ({ offerId, placementId, country, grossMicros, ...counts }: HitsRow): Record<string, Cell> => ({
    offerId,
    placementId,
    ...(byCountry ? { country } : {}),
    ...counts,
    gross: grossMicros / MICROS,
  });
