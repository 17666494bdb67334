import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { hash32, mix32 } from "../core/hash.ts";
import { ARMS, formerScore } from "./arms.ts";
import { shownTo } from "./creatives.ts";
import { columnsOf, FIRST_ASKING, OPEN, scoreTerms, type Candidates, type Columns } from "./columns.ts";
import { unmet, type DecisionRequest } from "./eligibility.ts";
import { doubtTable, stepOf } from "./learning/normal.ts";
import { isThrottled } from "./pacing/steps.ts";
import { isTapered, placeDraw } from "./standing/draws.ts";
import { favouredOf, putNewcomerBack } from "./standing/favoured.ts";
import { isAlike, LAST, OUT, standingFor, standingOf, type Standing } from "./standing/standing.ts";

/** Limits how many offers of an advertiser may stand among those of others; its further ones come last. */
const SHARE = 8;

/** Tells for each gate whether a request passes. One decision at a time uses it. */
let passes = new Uint8Array(64);

/** Asks at each gate of a list whether a request passes. */
const passesOf = (asking: readonly Candidate[], request: DecisionRequest): Uint8Array => {
  if (passes.length < FIRST_ASKING + asking.length) passes = new Uint8Array(FIRST_ASKING + asking.length);
  passes[OPEN] = 1;
  for (let i = 0; i < asking.length; i++)
    passes[FIRST_ASKING + i] = unmet(asking[i] as Candidate, request) === null ? 1 : 0;
  return passes;
};

/** Maps the number of each advertiser in a list to its first offer. One decision at a time uses it. */
const firsts = new Int16Array(256);

/** Puts all but the first offer of each advertiser behind the others of their priority. */
const spreadOut = (advertisers: Uint8Array, standing: Standing, offers: readonly Candidate[]): void => {
  const { levels } = standing;
  firsts.fill(-1);
  for (let i = 0; i < advertisers.length; i++) {
    if ((levels[i] ?? OUT) === OUT) continue;
    const advertiser = advertisers[i] ?? 0;
    const first = firsts[advertiser] ?? -1;
    const isFirst = first === -1 || isBefore(standing, offers, i, first);
    if (isFirst) firsts[advertiser] = i;
    const behind = isFirst ? first : i;
    if (behind !== -1) levels[behind] = (levels[behind] ?? 0) + 1;
  }
};

const isBefore = ({ levels, scores }: Standing, offers: readonly Candidate[], a: number, b: number): boolean => {
  const level = (levels[a] ?? 0) - (levels[b] ?? 0);
  if (level !== 0) return level < 0;
  const score = (scores[a] ?? 0) - (scores[b] ?? 0);
  return score === 0 ? (offers[a] as Candidate).id < (offers[b] as Candidate).id : score > 0;
};

/**
 * Judges candidates for a request: gives each a level, the lower the earlier, and a score within it. A level is twice
 * the priority, plus one for all but an advertiser's first offer. Offers near their cap for this session, and those
 * that it has clicked or declined, come after all other levels. A paced offer is out for the sessions that are not to
 * see it, even where nothing else fills an answer: shown there, it would use up its caps too early. The newcomer that
 * the session is to see has an infinite score.
 */
export const judge = (
  candidates: Candidates,
  network: NetworkDocument | null,
  request: DecisionRequest,
  standing: Standing = standingOf(candidates.offers.length),
): Standing => {
  const { offers } = candidates;
  const columns = columnsOf(offers, network);
  const { hashes, priorities, gates, asking, tapers, paces, advertisers } = columns;
  const terms = scoreTerms(candidates);
  const { centers, spreads } = terms;
  const { levels, scores } = standing;
  const session = hash32(request.session);
  const table = doubtTable();
  const isLearned = request.arm !== ARMS.holdout;
  const { seen } = request;
  const admitted = passesOf(asking, request);
  for (let i = 0; i < offers.length; i++) {
    if (admitted[gates[i] ?? 0] === 0) {
      levels[i] = OUT;
      continue;
    }
    const hash = hashes[i] ?? 0;
    if (paces !== null && isThrottled(paces[i] ?? 1, session, hash)) {
      levels[i] = OUT;
      continue;
    }
    const drawn = mix32(session, hash);
    if (isLearned) scores[i] = (centers[i] ?? 0) + (spreads[i] ?? 0) * (table[stepOf(drawn)] ?? 0);
    else scores[i] = formerScore((offers[i] as Candidate).ecpmMicros, drawn);
    const isLast =
      (tapers !== null && isTapered(tapers[i] ?? 0, session, hash)) ||
      (seen !== undefined && seen.includes((offers[i] as Candidate).id));
    levels[i] = 2 * (priorities[i] ?? 0) + (isLast ? 2 * LAST : 0);
  }
  const favoured = isLearned ? favouredOf(terms, hashes, session, request.count, levels) : -1;
  if (favoured !== -1) scores[favoured] = Infinity;
  // The order from before learning gave an advertiser as many offers in an answer as its bids won.
  if (advertisers !== null && isLearned) spreadOut(advertisers, standing, offers);
  return standing;
};

/** Puts the offers beyond an advertiser's share behind all others. */
const shared = (order: readonly number[], offers: readonly Candidate[]): number[] => {
  const counts = new Map<number, number>();
  const within: number[] = [];
  const beyond: number[] = [];
  for (const i of order) {
    const { advertiserSerial } = offers[i] as Candidate;
    const count = (counts.get(advertiserSerial) ?? 0) + 1;
    counts.set(advertiserSerial, count);
    (count > SHARE ? beyond : within).push(i);
  }
  return [...within, ...beyond];
};

/** Puts offers of one priority that stand together into random order. */
const shuffled = (order: readonly number[], { levels }: Standing, { hashes }: Columns, session: string): number[] => {
  const hash = hash32(session);
  let run = 0;
  const drawn = order.map((i, at) => {
    if (at > 0 && !isAlike(levels[i], levels[order[at - 1] ?? 0])) run += 1;
    return { i, run, chance: placeDraw(hash, hashes[i] ?? 0) };
  });
  return drawn.toSorted((a, b) => a.run - b.run || a.chance - b.chance).map(({ i }) => i);
};

/**
 * Chooses the offers that answer a request: the eligible ones, lower priority numbers first, and within a priority
 * those that are believed to be worth more. Scores are drawn from that belief by session and offer, so that a session
 * always sees the same order. All of an advertiser's offers but the first stand behind the others of their priority, and
 * those beyond eight behind all others. Newcomers have their share of sessions (newcomers.ts). Offers near their cap for
 * this session, and those that it has clicked or declined, come last. Sessions that are served at random see the offers
 * that they would see anyway, each priority in random order.
 *
 * @returns at most `request.count` offers, each once, with the creative that the session sees
 */
export const decide = (
  candidates: Candidates,
  network: NetworkDocument | null,
  request: DecisionRequest,
): Candidate[] => {
  const { offers } = candidates;
  const { session, arm } = request;
  const columns = columnsOf(offers, network);
  const standing = standingFor(offers.length);
  const { levels } = judge(candidates, network, request, standing);
  // Only long answers can give an advertiser more than its share; for those, all offers are put in order first.
  const isShared = request.count > SHARE && columns.advertisers !== null;
  const wanted = isShared ? offers.length : request.count;
  const best: number[] = [];
  for (let i = 0; i < offers.length; i++) {
    if (levels[i] === OUT) continue;
    if (best.length === wanted && !isBefore(standing, offers, i, best[wanted - 1] ?? 0)) continue;
    let place = best.length < wanted ? best.length : wanted - 1;
    for (; place > 0 && isBefore(standing, offers, i, best[place - 1] ?? 0); place--)
      best[place] = best[place - 1] ?? 0;
    best[place] = i;
  }
  let order = isShared ? shared(best, offers).slice(0, request.count) : best;
  if (arm === ARMS.learned) putNewcomerBack(order, standing, session);
  if (arm === ARMS.random) order = shuffled(order, standing, columns, session);
  const chosen = order.map((i) => offers[i] as Candidate);
  if (!columns.isSplit) return chosen;
  const hash = hash32(session);
  return chosen.map((offer) => shownTo(offer, hash));
};
