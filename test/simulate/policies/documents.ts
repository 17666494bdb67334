import { ASSUMED_RATES } from "../../../db/demand/pricing.ts";
import type { Candidate, LearnedRates } from "../../../db/documents/types.ts";
import { NEW_EXPOSURE, type RateSums } from "../../../db/learning/sums.ts";
import type { Candidates } from "../../../functions/decision/columns.ts";
import { networkRate } from "../../../functions/decision/learning/belief.ts";
import { boundRate, liftOf, ownersRate, STAGES, type Subject } from "../../../functions/decision/learning/bounds.ts";
import type { Known } from "../../../functions/decision/learning/fold.ts";
import type { KnownCells } from "../../../functions/decision/learning/fold.ts";
import { clickedOf, liftElsewhere, type Clicked } from "../../../functions/decision/learning/lines.ts";
import { evidenceOf, NO_SUMS } from "../../../functions/decision/learning/sums.ts";
import type { OpenOffer, Place } from "../core/policy.ts";
import type { Random } from "../core/random.ts";

/**
 * Says what of the evidence a document tells: all, only that over all places, or only that of each placement and
 * country.
 */
export type View = "all" | "pooled" | "apart";

/** Holds what documents are built from. */
export type Build = {
  known: KnownCells;
  now: number;
  view: View;
  favoursNewcomers: boolean;
  random: Random;
};

const BEST = 24;
const DRAWN = 4;
const NEW_MS = 14 * 86_400_000;

/** Makes the rate of an offer over all places worth more than all that happened in a placement and country. */
const CERTAIN = 1e9;

const VARIANTS = new WeakMap<Candidate, Candidate>();

/** Returns the same candidate as one that hardly anybody has seen. */
const asNew = (candidate: Candidate): Candidate => {
  const made = VARIANTS.get(candidate) ?? { ...candidate, isNew: true };
  VARIANTS.set(candidate, made);
  return made;
};

/**
 * Holds what is known of an offer over all places: its sums, by stage the rates of its advertiser and the network, its
 * bound, and its clicks.
 */
type Anywhere = {
  subject: Subject;
  own: RateSums;
  stages: { network: number; advertiser: number }[];
  bound: number;
  clicked: Clicked | null;
};

const subjectOf = ({ candidate: { id: offerId, pricing }, advertiserId }: OpenOffer): Subject => ({
  offerId,
  advertiserId,
  pricing,
});

const anywhereOf = (known: Known, offer: OpenOffer): Anywhere => {
  const subject = subjectOf(offer);
  const stages = STAGES[subject.pricing].map((stage) => ({
    network: networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]),
    advertiser: ownersRate(known, subject, stage),
  }));
  const { valueMicros } = offer.candidate;
  const rate = boundRate(known, subject);
  return {
    subject,
    own: known.offer(subject.offerId),
    stages,
    bound: rate === null ? valueMicros / 1_000 : rate * valueMicros,
    clicked: clickedOf(known, subject),
  };
};

const anywheres = new WeakMap<Known, { offers: readonly OpenOffer[]; all: Anywhere[] }>();

/** Tells what is known of offers over all places, worked out once. */
const anywheresOf = (known: Known, offers: readonly OpenOffer[]): readonly Anywhere[] => {
  let made = anywheres.get(known);
  if (made?.offers !== offers) {
    made = { offers, all: offers.map((offer) => anywhereOf(known, offer)) };
    anywheres.set(known, made);
  }
  return made.all;
};

/** Holds what happened to an offer in a placement and country, and its lift elsewhere in both. */
type Here = { cell: RateSums; lift: number };

const hereOf = ({ known, view }: Build, { subject, clicked }: Anywhere, { placementId, country }: Place): Here => {
  const cell = known.cell(placementId, country, subject.offerId);
  return { cell, lift: view === "all" ? liftElsewhere(known, clicked, placementId, country, cell) : 1 };
};

/** Tells what was seen of an offer, as {@link LearnedRates} has it. */
const ratesOf = ({ view }: Build, { own, stages }: Anywhere, { cell, lift }: Here): number[] => {
  if (stages.length === 0) return [];
  const rates: number[] = [];
  for (const [i, { network, advertiser }] of stages.entries()) {
    const stage = i === 0 ? 0 : 1;
    const { count, exposure } = evidenceOf(view === "apart" ? cell : own, stage);
    const here = evidenceOf(view === "pooled" ? NO_SUMS : cell, stage);
    rates.push(view === "apart" ? network : advertiser, count, exposure, here.count, here.exposure);
  }
  rates.push(lift);
  return rates;
};

/** Returns what an impression of an offer may be worth here: what happened here counts once it was shown here. */
const boundAt = ({ known }: Build, { subject, bound }: Anywhere, { cell, lift }: Here, place: RateSums): number =>
  cell.exposure === 0 ? bound * lift : bound * liftOf(known, subject, cell, place, lift);

/** Returns the numbers of the offers that a document has room for: the best by an upper bound, and some by chance. */
const roomFor = (bounds: readonly number[], random: Random): number[] => {
  const order = bounds.map((_, i) => i).sort((a, b) => (bounds[b] ?? 0) - (bounds[a] ?? 0));
  if (order.length <= BEST + DRAWN) return order;
  const rest = order.slice(BEST);
  for (let i = 0; i < DRAWN; i++) {
    const j = i + random.below(rest.length - i);
    [rest[i], rest[j]] = [rest[j] ?? 0, rest[i] ?? 0];
  }
  return [...order.slice(0, BEST), ...rest.slice(0, DRAWN)];
};

const lists = new Map<string, Candidate[]>();

/** Returns the list that was made of the same candidates before. */
const shared = (offers: Candidate[]): Candidate[] => {
  const key = offers.map(({ id, isNew }) => (isNew ? `${id}!` : id)).join();
  const list = lists.get(key) ?? offers;
  if (lists.size > 1_000) lists.clear();
  lists.set(key, list);
  return list;
};

/** Builds the document of a placement and country, as the database does. */
export const documentOf = (build: Build, place: Place, offers: readonly OpenOffer[]): Candidates => {
  const { known, now, random, view } = build;
  const anywhere = anywheresOf(known, offers);
  const here = anywhere.map((offer) => hereOf(build, offer, place));
  const at = known.place(place.placementId, place.country);
  const cell = (own: number) => (view === "pooled" ? CERTAIN : own);
  const [clicks, conversions] = known.strengths;
  const strengths = [clicks.offer, cell(clicks.cell), conversions.offer, cell(conversions.cell)];
  const isAll = offers.length <= BEST + DRAWN;
  const bounds = isAll ? [] : anywhere.map((offer, i) => boundAt(build, offer, here[i] as Here, at));
  const kept = isAll ? offers.map((_, i) => i) : roomFor(bounds, random);
  const listed = kept.map((i) => {
    const { candidate, madeAt } = offers[i] as OpenOffer;
    const isNew =
      build.favoursNewcomers &&
      now - madeAt < NEW_MS &&
      candidate.pricing !== "CPM" &&
      (anywhere[i] as Anywhere).own.exposure < NEW_EXPOSURE;
    return isNew ? asNew(candidate) : candidate;
  });
  const places = view === "all" ? [at.clicks, at.exposure, at.conversions, at.clicked] : [0, 0, 0, 0];
  const rates = kept.map((i) => ratesOf(build, anywhere[i] as Anywhere, here[i] as Here));
  const learned: LearnedRates = { places, strengths, rates };
  // Lists with offers by chance are hardly ever made twice.
  return { offers: isAll ? shared(listed) : listed, learned };
};
