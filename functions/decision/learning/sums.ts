import type { CellSums, Fading, OfferSums, RateSums } from "../../../db/learning/sums.ts";
import type { Evidence } from "./belief.ts";

/** Stands for sums of nothing. */
export const NO_SUMS: Readonly<RateSums> = { clicks: 0, exposure: 0, conversions: 0, clicked: 0 };

// Members are written out, since a helper that takes a function slows learning down.

/** Adds up sums. */
export const plus = (a: Readonly<RateSums>, b: Readonly<RateSums>): RateSums => ({
  clicks: a.clicks + b.clicks,
  exposure: a.exposure + b.exposure,
  conversions: a.conversions + b.conversions,
  clicked: a.clicked + b.clicked,
});

/** Subtracts sums from others that they are a part of. */
export const minus = (a: Readonly<RateSums>, part: Readonly<RateSums>): RateSums => ({
  clicks: a.clicks - part.clicks,
  exposure: a.exposure - part.exposure,
  conversions: a.conversions - part.conversions,
  clicked: a.clicked - part.clicked,
});

/** Divides sums by a weight, which gives what is left of them on the day of that weight. */
export const faded = (sums: Readonly<RateSums>, weight: number): RateSums => ({
  clicks: sums.clicks / weight,
  exposure: sums.exposure / weight,
  conversions: sums.conversions / weight,
  clicked: sums.clicked / weight,
});

/** Stands for sums of nothing in a placement and country. */
export const NO_CELL: Readonly<CellSums> = { ...NO_SUMS, anywhere: 0 };

/** Adds up sums of a placement and country. */
export const plusCell = (a: Readonly<CellSums>, b: Readonly<CellSums>): CellSums => ({
  ...plus(a, b),
  anywhere: a.anywhere + b.anywhere,
});

/** Adds up sums of an offer. */
export const plusOffer = (a: Readonly<OfferSums>, b: Readonly<OfferSums>): OfferSums => ({
  ...plus(a, b),
  counted: a.counted + b.counted,
});

/** Divides sums of a placement and country by a weight, as {@link faded} does others. */
export const fadedCell = (sums: Readonly<CellSums>, weight: number): CellSums => ({
  clicks: sums.clicks / weight,
  exposure: sums.exposure / weight,
  conversions: sums.conversions / weight,
  clicked: sums.clicked / weight,
  anywhere: sums.anywhere / weight,
});

/** Counts clicks only in part, by the share of their conversions that has come. */
export const ripe = <Sums extends RateSums>(sums: Sums, maturity: number): Sums =>
  maturity === 1 ? sums : { ...sums, clicked: sums.clicked * maturity };

/** Names a stage on the way to money: 0 is clicks per impression, 1 is conversions per click. */
export type Stage = 0 | 1;

/** Reads the evidence of a stage. */
export const evidenceOf = ({ clicks, exposure, conversions, clicked }: RateSums, stage: Stage): Evidence =>
  stage === 0 ? { count: clicks, exposure } : { count: conversions, exposure: clicked };

/**
 * Returns the weight of what happened on a day. Newer days weigh more, which fades older ones without rewriting them
 * (forward decay): readers divide sums by the weight of today.
 *
 * @param day days since 1970
 */
export const weightOf = (day: number, { halfLife, origin }: Fading): number => 2 ** ((day - origin) / halfLife);

/** Changes the half-life of existing sums, so that what they weigh today stays the same. */
export const refaded = ({ halfLife, origin }: Fading, wanted: number, today: number): Fading => ({
  halfLife: wanted,
  origin: today - ((today - origin) / halfLife) * wanted,
});
