import { count, dollars, percent, ratio, short, type Reader } from "../format.ts";

/** Holds what was counted, as in a report's row. What a report lacks or a token may not see is missing. */
export type Counted = {
  requests?: number | undefined;
  fills?: number | undefined;
  impressions: number;
  viewable: number;
  clicks: number;
  closes?: number | undefined;
  conversions: number;
  revenue?: number | undefined;
  gross?: number | undefined;
};

/** Describes a figure: how it is computed from what was counted, and how it is written. */
export type Figure = {
  key: string;
  text: string;
  of: (counted: Counted) => number | null;
  write: (value: number | null, reader?: Reader) => string;
};

const perThousand = (money: number | undefined, requests: number | undefined): number | null => {
  const each = ratio(money, requests);
  return each === null ? null : each * 1000;
};

/** Lists the figures in the order in which they are shown. */
export const FIGURES: readonly Figure[] = [
  { key: "requests", text: "Requests", of: ({ requests }) => requests ?? null, write: short },
  { key: "fill", text: "Fill", of: ({ fills, requests }) => ratio(fills, requests), write: percent },
  { key: "impressions", text: "Impressions", of: ({ impressions }) => impressions, write: short },
  {
    key: "viewability",
    text: "Viewability",
    of: ({ viewable, impressions }) => ratio(viewable, impressions),
    write: percent,
  },
  { key: "clicks", text: "Clicks", of: ({ clicks }) => clicks, write: short },
  { key: "ctr", text: "CTR", of: ({ clicks, impressions }) => ratio(clicks, impressions), write: percent },
  { key: "conversions", text: "Conversions", of: ({ conversions }) => conversions, write: short },
  { key: "revenue", text: "Revenue", of: ({ revenue }) => revenue ?? null, write: dollars },
  {
    key: "rpm",
    text: "Revenue per 1,000 requests",
    of: ({ revenue, requests }) => perThousand(revenue, requests),
    write: dollars,
  },
];

const COUNTS = ["requests", "fills", "impressions", "viewable", "clicks", "closes", "conversions"] as const;
const MONEY = ["revenue", "gross"] as const;

/** Adds up rows. A member that none of them has is missing in the sum. */
export const sumOf = (rows: readonly Counted[]): Counted => {
  const sum: Counted = { impressions: 0, viewable: 0, clicks: 0, conversions: 0 };
  for (const row of rows) {
    for (const name of [...COUNTS, ...MONEY]) {
      if (row[name] !== undefined) sum[name] = (sum[name] ?? 0) + row[name];
    }
  }
  return sum;
};

/** Tells whether nothing was counted at all. */
export const isNothing = (rows: readonly Counted[]): boolean =>
  rows.every((row) => COUNTS.every((name) => (row[name] ?? 0) === 0));

/**
 * Returns zero counts, with the members that a report will have: those of money and of requests only if they will be
 * there.
 */
export const expected = (hasRevenue: boolean, hasRequests: boolean): Counted => ({
  impressions: 0,
  viewable: 0,
  clicks: 0,
  conversions: 0,
  ...(hasRequests && { requests: 0, fills: 0 }),
  ...(hasRevenue && { revenue: 0 }),
});

/**
 * Lists the figures that can be computed from what was counted: a report of offers has no requests, some tokens see no
 * money.
 */
export const figuresOf = (counted: Counted): readonly Figure[] =>
  FIGURES.filter(({ key }) => {
    if (key === "requests" || key === "fill") return counted.requests !== undefined;
    if (key === "rpm") return counted.requests !== undefined && counted.revenue !== undefined;
    return key !== "revenue" || counted.revenue !== undefined;
  });

/** Writes a figure in full, for a table. */
export const inFull = (figure: Figure, counted: Counted): string =>
  figure.write === short ? count(figure.of(counted)) : figure.write(figure.of(counted));
