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

/** Says what of the evidence a document tells: all, an offer's anywhere alone, or each placement and country's alone. */
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

/** Lets the rate of an offer anywhere outweigh all that a placement and country tells. */
const CERTAIN = 1e9;

const VARIANTS = new WeakMap<Candidate, Candidate>();

/** Returns the same candidate as one that hardly anybody has seen. */
const asNew = (candidate: Candidate): Candidate => {
  const made = VARIANTS.get(candidate) ?? { ...candidate, isNew: true };
  VARIANTS.set(candidate, made);
  return made;
};

/** Holds what is known of an offer anywhere: by stage the rates of its advertiser and the network, its bound, and its clicks. */
type Anywhere = { stages: { network: number; advertiser: number }[]; bound: number; clicked: Clicked | null };

const anywheres = new WeakMap<Known, Map<string, Anywhere>>();

const subjectOf = ({ candidate: { id: offerId, pricing }, advertiserId }: OpenOffer): Subject => ({
  offerId,
  advertiserId,
  pricing,
});

/** Tells what is known of an offer anywhere, worked out once for all places. */
const anywhereOf = ({ known }: Build, offer: OpenOffer): Anywhere => {
  const made = anywheres.get(known) ?? new Map<string, Anywhere>();
  anywheres.set(known, made);
  const subject = subjectOf(offer);
  let anywhere = made.get(subject.offerId);
  if (!anywhere) {
    const stages = STAGES[subject.pricing].map((stage) => ({
      network: networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]),
      advertiser: ownersRate(known, subject, stage),
    }));
    const { valueMicros } = offer.candidate;
    const rate = boundRate(known, subject);
    anywhere = {
      stages,
      bound: rate === null ? valueMicros / 1_000 : rate * valueMicros,
      clicked: clickedOf(known, subject),
    };
    made.set(subject.offerId, anywhere);
  }
  return anywhere;
};

/** Holds what happened to an offer in a placement and country, and its lift elsewhere in both. */
type Here = { cell: RateSums; lift: number };

const hereOf = (build: Build, offer: OpenOffer, { placementId, country }: Place): Here => {
  const { known, view } = build;
  const cell = known.cell(placementId, country, offer.candidate.id);
  const { clicked } = anywhereOf(build, offer);
  return { cell, lift: view === "all" ? liftElsewhere(known, clicked, placementId, country, cell) : 1 };
};

/** Tells what was seen of an offer, as {@link LearnedRates} has it. */
const ratesOf = (build: Build, offer: OpenOffer, { cell, lift }: Here): number[] => {
  const { known, view } = build;
  const own = known.offer(offer.candidate.id);
  const rates = anywhereOf(build, offer).stages.flatMap(({ network, advertiser }, i) => {
    const stage = i === 0 ? 0 : 1;
    const { count, exposure } = evidenceOf(view === "apart" ? cell : own, stage);
    const here = evidenceOf(view === "pooled" ? NO_SUMS : cell, stage);
    return [view === "apart" ? network : advertiser, count, exposure, here.count, here.exposure];
  });
  return rates.length > 0 ? [...rates, lift] : rates;
};

const placesOf = ({ known, view }: Build, placementId: string, country: string): number[] => {
  if (view !== "all") return [0, 0, 0, 0];
  const { clicks, exposure, conversions, clicked } = known.place(placementId, country);
  return [clicks, exposure, conversions, clicked];
};

/** Returns what an impression of an offer may be worth here: what happened here counts once it was shown here. */
const boundAt = (build: Build, offer: OpenOffer, { placementId, country }: Place, { cell, lift }: Here): number => {
  const { bound } = anywhereOf(build, offer);
  if (cell.exposure === 0) return bound * lift;
  return bound * liftOf(build.known, subjectOf(offer), cell, build.known.place(placementId, country), lift);
};

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
  const { known, now, random } = build;
  const { placementId, country } = place;
  const here = offers.map((offer) => hereOf(build, offer, place));
  const places = placesOf(build, placementId, country);
  const cell = (own: number) => (build.view === "pooled" ? CERTAIN : own);
  const [clicks, conversions] = known.strengths;
  const strengths = [clicks.offer, cell(clicks.cell), conversions.offer, cell(conversions.cell)];
  const isAll = offers.length <= BEST + DRAWN;
  const bounds = isAll ? [] : offers.map((offer, i) => boundAt(build, offer, place, here[i] as Here));
  const kept = isAll ? offers.map((_, i) => i) : roomFor(bounds, random);
  const listed = kept.map((i) => {
    const { candidate, madeAt } = offers[i] as OpenOffer;
    const isNew =
      build.favoursNewcomers &&
      now - madeAt < NEW_MS &&
      candidate.pricing !== "CPM" &&
      known.offer(candidate.id).exposure < NEW_EXPOSURE;
    return isNew ? asNew(candidate) : candidate;
  });
  const rates = kept.map((i) => ratesOf(build, offers[i] as OpenOffer, here[i] as Here));
  const learned: LearnedRates = { places, strengths, rates };
  // Lists with offers by chance are hardly ever made twice.
  return { offers: isAll ? shared(listed) : listed, learned };
};
