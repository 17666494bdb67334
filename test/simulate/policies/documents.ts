import type { Candidate, LearnedRates } from "../../../db/documents/types.ts";
import { advertiserRate, meanOf, networkRate } from "../../../functions/decision/learning/belief.ts";
import type { Evidence } from "../../../functions/decision/learning/belief.ts";
import { ASSUMED_RATES, evidenceOf, faded, NO_SUMS, offerRate } from "../../../functions/decision/learning/fold.ts";
import type { Known, Stage, Sums } from "../../../functions/decision/learning/fold.ts";
import { boundOf, worthOf } from "../../../functions/decision/learning/score.ts";
import type { Candidates } from "../../../functions/decision/columns.ts";
import type { OpenOffer, Place } from "../core/policy.ts";
import type { Random } from "../core/random.ts";
import { placeKey, type Maturity, type Tables } from "./tables.ts";

/** Says what of the evidence a document tells: all, an offer's anywhere alone, or each placement and country's alone. */
export type View = "all" | "pooled" | "apart";

/** Holds what documents are built from. */
export type Build = {
  tables: Tables;
  known: Known;
  weight: number;
  maturity: Maturity;
  now: number;
  view: View;
  favoursNewcomers: boolean;
  random: Random;
};

const BEST = 24;
const DRAWN = 4;
const NEW_MS = 14 * 86_400_000;
const NEW_EXPOSURE = 1_000;

/** Lets the rate of an offer anywhere outweigh all that a placement and country tells. */
const CERTAIN = 1e9;

const VARIANTS = new WeakMap<Candidate, Candidate>();

/** Returns the same candidate as one that hardly anybody has seen. */
const asNew = (candidate: Candidate): Candidate => {
  const made = VARIANTS.get(candidate) ?? { ...candidate, isNew: true };
  VARIANTS.set(candidate, made);
  return made;
};

const stagesOf = ({ pricing }: Candidate): readonly Stage[] =>
  pricing === "CPM" ? [] : pricing === "CPC" ? [0] : [0, 1];

/** Holds what is known of an offer anywhere: by stage the rate of its advertiser and of the network, and its own evidence. */
type Anywhere = { stages: { network: number; advertiser: number; own: Evidence }[]; bound: number };

const anywheres = new WeakMap<Known, Map<string, Anywhere>>();

/** Tells what is known of an offer anywhere, worked out once for all places. */
const anywhereOf = ({ known }: Build, { candidate, advertiserId }: OpenOffer): Anywhere => {
  const made = anywheres.get(known) ?? new Map<string, Anywhere>();
  anywheres.set(known, made);
  let anywhere = made.get(candidate.id);
  if (!anywhere) {
    const stages = stagesOf(candidate).map((stage) => {
      const network = networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]);
      const own = evidenceOf(known.offer(candidate.id), stage);
      return {
        network,
        advertiser: advertiserRate(evidenceOf(known.others(advertiserId, candidate.id), stage), network),
        own,
      };
    });
    const beliefs = stagesOf(candidate).map((stage) => offerRate(known, candidate.id, advertiserId, stage));
    const expected = beliefs.reduce((product, belief) => product * meanOf(belief), candidate.valueMicros);
    const bound = boundOf({ expected, shape: 1 / beliefs.reduce((sum, { shape }) => sum + 1 / shape, 0) }, 1);
    anywhere = { stages, bound };
    made.set(candidate.id, anywhere);
  }
  return anywhere;
};

/** Tells what was seen of an offer, as {@link LearnedRates} has it. */
const ratesOf = (build: Build, offer: OpenOffer, cell: Sums): number[] =>
  anywhereOf(build, offer).stages.flatMap(({ network, advertiser, own }, i) => {
    const { count, exposure: all } = evidenceOf(cell, i === 0 ? 0 : 1);
    const exposure = i === 0 ? all : all * build.maturity(offer.candidate.id);
    if (build.view === "apart") return [network, count, exposure, count, exposure];
    if (build.view === "pooled") return [advertiser, own.count, own.exposure, 0, 0];
    return [advertiser, own.count, own.exposure, count, exposure];
  });

const placesOf = ({ known, view }: Build, placementId: string, country: string): number[] => {
  if (view !== "all") return [0, 0, 0, 0];
  const { clicks, exposure, conversions, clicked } = known.place(placementId, country);
  return [clicks, exposure, conversions, clicked];
};

/** Returns what an impression of an offer may be worth, one that has no evidence in a place by what is known elsewhere. */
const boundAt = (build: Build, offer: OpenOffer, index: number, learned: LearnedRates, cell: Sums): number =>
  cell.exposure > 0 || offer.candidate.pricing === "CPM"
    ? boundOf(worthOf(offer.candidate, index, learned), 1)
    : anywhereOf(build, offer).bound;

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
export const documentOf = (build: Build, { placementId, country }: Place, offers: readonly OpenOffer[]): Candidates => {
  const { tables, known, weight, now, random } = build;
  const cells = tables.cells.get(placeKey(placementId, country));
  const sums = offers.map(({ candidate }) => faded(cells?.get(candidate.id) ?? NO_SUMS, weight));
  const rates = offers.map((offer, i) => ratesOf(build, offer, sums[i] ?? NO_SUMS));
  const places = placesOf(build, placementId, country);
  const cell = (own: number) => (build.view === "pooled" ? CERTAIN : own);
  const [clicks, conversions] = tables.strengths;
  const strengths = [clicks.offer, cell(clicks.cell), conversions.offer, cell(conversions.cell)];
  const all: LearnedRates = { places, strengths, rates };
  const isAll = offers.length <= BEST + DRAWN;
  const bounds = isAll ? [] : offers.map((offer, i) => boundAt(build, offer, i, all, sums[i] ?? NO_SUMS));
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
  const learned = { places, strengths, rates: kept.map((i) => rates[i] ?? []) };
  return { offers: shared(listed), learned };
};
