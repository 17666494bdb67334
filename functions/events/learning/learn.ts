import { connect, type Db } from "../../../db/core/client.ts";
import { ASSUMED_RATES } from "../../../db/demand/pricing.ts";
import { findUnbounded, storeBounds, type Unbounded } from "../../../db/learning/bounds.ts";
import { addLearnedCreatives, findUnlearnedCreatives } from "../../../db/learning/creatives.ts";
import { findUnlearned, unlearnedOf, type Unlearned, type UnlearnedRow } from "../../../db/learning/increases.ts";
import { addLearned, type Bound, type Learned } from "../../../db/learning/rates.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import { ARMS } from "../../decision/arms.ts";
import { networkRate, type Strengths } from "../../decision/learning/belief.ts";
import { boundRate, liftOf, ownersRate, type Subject } from "../../decision/learning/bounds.ts";
import { fold, type Increase, type KnownCells } from "../../decision/learning/fold.ts";
import { evidenceOf, weightOf } from "../../decision/learning/sums.ts";
import { addFolded, byPlace, knownOf, offersAt, type Rates } from "../../decision/learning/known.ts";
import { clickedOf, liftElsewhere, lineLift } from "../../decision/learning/lines.ts";
import { learnedCreatives } from "./learn-creatives.ts";
import { settingsOf } from "../../env.ts";
import { estimate } from "./estimate.ts";
import { judge } from "./judge.ts";
import type { Duty, Reserve } from "../../core/calls/lease.ts";

/** Limits how many counters are learned from at a time. */
const ROWS = 1_000;

const mapOf = <Row extends RateSums>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, RateSums> =>
  new Map(rows.map((row) => [nameOf(row), row]));

/** Holds a counter of an offer that still exists. Nothing is learned about others. */
type Counter = UnlearnedRow & { serial: number };

type Place = { placementId: string; country: string };

const isKnown = (row: UnlearnedRow): row is Counter => row.serial !== null;

const strengths = ([offer, cell]: [number, number]): Strengths => ({ offer, cell });

const ratesOf = (found: Unlearned, rows: readonly Counter[]): Rates => {
  const { network } = found;
  const ids = new Map(rows.map(({ serial, offer_id: id }) => [serial, id]));
  const maturities = new Map(found.offers.map(({ offerId, maturity }) => [offerId, maturity]));
  const cells: Rates["cells"] = new Map();
  for (const { placementId, country, serial, ...sums } of found.cells) {
    offersAt(cells, placementId, country).set(ids.get(serial) ?? "", sums);
  }
  const slots: Rates["slots"] = [];
  for (const { place, clicks, exposure } of found.slots) slots[place] = { count: clicks, exposure };
  return {
    cells,
    offers: mapOf(found.offers, ({ offerId }) => offerId),
    advertisers: mapOf(found.advertisers, ({ advertiserId }) => advertiserId),
    places: byPlace(found.places),
    network,
    slots,
    maturities: { get: (offerId) => maturities.get(offerId) ?? network.delays[0] },
    maturity: network.maturity,
    strengths: [strengths(network.clickStrengths), strengths(network.conversionStrengths)],
  };
};

const increaseOf = (row: Counter): Increase => ({
  day: row.days,
  placementId: row.placement_id,
  country: row.country,
  offerId: row.offer_id,
  advertiserId: row.advertiser_id,
  isRandom: row.arm === ARMS.random,
  place: row.place,
  ...unlearnedOf(row),
  isUnseen: row.impressions === 0,
});

/** Returns the factor by which an offer's bound changes in a placement and country, or in one of the two. */
const liftAt = (known: KnownCells, offer: Subject, { placementId, country }: Place): number => {
  const clicked = clickedOf(known, offer);
  if (placementId === "" || country === "") return lineLift(known, clicked, placementId, country);
  const cell = known.cell(placementId, country, offer.offerId);
  const elsewhere = liftElsewhere(known, clicked, placementId, country, cell);
  return liftOf(known, offer, cell, known.place(placementId, country), elsewhere);
};

const boundOf = (known: KnownCells, offer: Subject): Bound => ({
  offerId: offer.offerId,
  advertiserClickRate: ownersRate(known, offer, 0),
  advertiserConversionRate: ownersRate(known, offer, 1),
  boundRate: boundRate(known, offer),
});

/** Works out what counters add to the rates, and what is then believed of their offers. */
export const learned = (found: Unlearned): Learned => {
  const rows = found.rows.filter(isKnown);
  const { network } = found;
  const rates = ratesOf(found, rows);
  const today = weightOf(network.day, network);
  const folded = fold(rows.map(increaseOf), knownOf(rates, today), network);
  addFolded(rates, folded);
  const known = knownOf(rates, today);
  const details = new Map(rows.map((row) => [row.offer_id, row]));
  const subjectOf = (offerId: string): Subject & { serial: number; creative: number } => {
    const { serial, creative, pricing, advertiser_id: advertiserId } = details.get(offerId) as Counter;
    return { offerId, advertiserId, pricing, serial, creative };
  };
  return {
    cells: folded.cells.map(({ offerId, ...cell }) => {
      const { serial, creative, ...offer } = subjectOf(offerId);
      return { ...cell, serial, creative, lift: liftAt(known, offer, cell) };
    }),
    offers: folded.offers.map((offer) => ({ ...offer, ...boundOf(known, subjectOf(offer.offerId)) })),
    days: folded.days.map((day) => ({ ...day, creative: subjectOf(day.offerId).creative })),
    advertisers: folded.advertisers.map(({ advertiserId, ...sums }) => ({
      advertiserId,
      ...sums,
      clickRate: ownersRate(known, { advertiserId, offerId: "" }, 0),
      conversionRate: ownersRate(known, { advertiserId, offerId: "" }, 1),
    })),
    places: folded.places,
    slots: folded.slots.map(({ place, count, exposure }) => ({ place, clicks: count, exposure })),
    network: {
      ...folded.network,
      clickRate: networkRate(evidenceOf(known.network, 0), ASSUMED_RATES[0]),
      conversionRate: networkRate(evidenceOf(known.network, 1), ASSUMED_RATES[1]),
    },
  };
};

/**
 * Works out again what offers may earn at best. Counts do that for offers that are seen. Of an offer that never was, or
 * no longer is, less is known each day, and more of others like it.
 */
const renewBounds = async (db: Db, reserve: Reserve): Promise<void> => {
  for (let news = ROWS; news === ROWS && reserve(2);) {
    const found: Unbounded = await findUnbounded(db, ROWS);
    const { network, subjects } = found;
    const rates = ratesOf({ ...found, rows: [], cells: [], places: [], slots: [] }, []);
    const known = knownOf(rates, weightOf(network.day, network));
    await storeBounds(
      db,
      subjects.map((offer) => ({ pricing: offer.pricing, ...boundOf(known, offer) })),
    );
    news = subjects.filter(({ isNew }) => isNew).length;
  }
};

/** Learns from what was counted since the last run, some counters at a time. */
export const learn: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  const mayEstimate = reserve(3);
  for (let count = ROWS; count === ROWS && reserve(2);) {
    const found = await findUnlearned(db, ROWS);
    count = found.rows.length;
    if (count > 0) await addLearned(db, found.rows, learned(found));
  }
  for (let count = ROWS; count === ROWS && reserve(2);) {
    const found = await findUnlearnedCreatives(db, ROWS);
    count = found.rows.length;
    if (count > 0) await addLearnedCreatives(db, found.rows, learnedCreatives(found));
  }
  // This comes last, so that counts are learned from whatever keeps it from estimating.
  if (!mayEstimate || !(await estimate(db, settingsOf(env).HALF_LIFE_DAYS))) return;
  await renewBounds(db, reserve);
  await judge(db, reserve);
};
