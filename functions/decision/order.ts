import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { hash32, mix32 } from "../core/hash.ts";
import { ARMS, formerScore } from "./arms.ts";
import { shownTo } from "./creatives.ts";
import { columnsOf, FIRST_ASKING, OPEN, scoreTerms, type Candidates, type Columns } from "./columns.ts";
import { unmet, type DecisionRequest } from "./eligibility.ts";
import { doubtTable, stepOf } from "./learning/normal.ts";
import { shareFor, TRIAL_PLACES, type Newcomers } from "./newcomers.ts";
import { isThrottled } from "./pacing/steps.ts";

/** Limits how many offers of an advertiser come before others have theirs. */
const SHARE = 8;

/** Makes what is drawn for the taper independent of what is drawn for the order. */
const TAPER_SALT = 0x7a9e_5a17;

/** Makes what is drawn for newcomers independent of what is drawn for the order. */
const NEWCOMER_SALT = 0x3c6e_f372;

/** Makes what is drawn for places at random independent of what is drawn for the order. */
const PLACE_SALT = 0x1b56_c4e9;

/** Comes after all priorities. */
const LAST = 1_000;

/** Tells whether a session is one of those that see an offer last, whose share was halved some times. */
export const isTapered = (halvings: number, session: number, offer: number): boolean =>
  mix32(session ^ TAPER_SALT, offer) >= 2 ** (32 - halvings);

/** Holds what a request makes of each candidate: a level, the smaller the earlier, and within it a score, the higher. */
export type Standing = { levels: Int32Array; scores: Float64Array };

const standingOf = (count: number): Standing => ({ levels: new Int32Array(count), scores: new Float64Array(count) });

/** Holds what one decision makes of a list, and the next overwrites: none is under way beside another. */
let reused = standingOf(64);

const standingFor = (count: number): Standing => {
  if (count > reused.levels.length) reused = standingOf(count);
  return reused;
};

/** Tells of each gate whether a request passes, for one decision at a time. */
let passes = new Uint8Array(64);

/** Asks at each gate of a list whether a request passes. */
const passesOf = (asking: readonly Candidate[], request: DecisionRequest): Uint8Array => {
  if (passes.length < FIRST_ASKING + asking.length) passes = new Uint8Array(FIRST_ASKING + asking.length);
  passes[OPEN] = 1;
  for (let i = 0; i < asking.length; i++)
    passes[FIRST_ASKING + i] = unmet(asking[i] as Candidate, request) === null ? 1 : 0;
  return passes;
};

/** Marks a candidate that is not for the request. */
export const OUT = -1;

/** Tells whether a session is one of the share that see a newcomer. */
export const isFavouring = (session: number, share: number): boolean => mix32(session, NEWCOMER_SALT) < share * 2 ** 32;

/** Tells whether a session is one of the few that see a newcomer before all others of its priority. */
export const isTriedFirst = (session: number): boolean => mix32(session ^ NEWCOMER_SALT, PLACE_SALT) < 2 ** 32 / 16;

/** Draws the place of an offer in a random order: the one with the lowest number is first. */
export const placeDraw = (session: number, offer: number): number => mix32(session ^ PLACE_SALT, offer);

/** Draws which newcomer a session sees: the one with the highest number. */
export const newcomerDraw = (session: number, offer: number): number => mix32(session ^ NEWCOMER_SALT, offer);

/** Returns the last level that an answer of `count` offers reaches, going from one level to the next. */
const lastLevel = (levels: Int32Array, offers: number, count: number): number => {
  let last = OUT;
  for (let reached = 0; reached < count;) {
    let next = Infinity;
    let alike = 0;
    for (let i = 0; i < offers; i++) {
      const level = levels[i] ?? OUT;
      if (level <= last || level > next) continue;
      alike = level < next ? 1 : alike + 1;
      next = level;
    }
    if (alike === 0) break;
    last = next;
    reached += alike;
  }
  return last;
};

/**
 * Picks the newcomer that a session sees, by chance among those of all priorities that its answer reaches: one that is first
 * anyway, since nothing else has its priority, would keep others from their share. Returns -1 where it sees none.
 */
const favouredOf = (
  newcomers: Newcomers,
  { hashes }: Columns,
  session: number,
  count: number,
  levels: Int32Array,
): number => {
  if (!isFavouring(session, shareFor(newcomers, count))) return -1;
  // What is last for this session is never favoured.
  const last = Math.min(lastLevel(levels, hashes.length, count), 2 * LAST - 1);
  const near = newcomers.filter(({ at }) => levels[at] !== OUT && (levels[at] ?? 0) <= last);
  if (!isFavouring(session, shareFor(near, count))) return -1;
  const draw = (at: number): number => newcomerDraw(session, hashes[at] ?? 0);
  return near.reduce((best, { at }) => (best === -1 || draw(at) > draw(best) ? at : best), -1);
};

/** Holds the first offer of each advertiser of a list, by the advertiser's number, for one decision at a time. */
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
 * Judges candidates for a request. A level is twice the priority, and one more for all but the first offer of an
 * advertiser; what is near its cap for this session, or was clicked or declined in it, comes after all levels. What is
 * paced is out for the sessions that are not to see it, even where nothing else fills an answer: shown there, it would use
 * its caps up too early. The newcomer that the session is to see has an infinite score.
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
  const { centers, spreads, newcomers } = scoreTerms(candidates);
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
  const favoured = isLearned ? favouredOf(newcomers, columns, session, request.count, levels) : -1;
  if (favoured !== -1) scores[favoured] = Infinity;
  // Before, an advertiser had as many offers in an answer as its bids won it.
  if (advertisers !== null && isLearned) spreadOut(advertisers, standing, offers);
  return standing;
};

/** Puts what is beyond an advertiser's share behind all others. */
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

/** Tells whether two levels are of one priority: those of an advertiser's first offer and of its others are. */
const isAlike = (a: number | undefined, b: number | undefined): boolean => (a ?? 0) >> 1 === (b ?? 0) >> 1;

/**
 * Moves the newcomer that a session is to see behind others of its priority: a little-known offer costs least where the fewest
 * customers look. Some sessions see it first, for shops whose customers see no more than one offer.
 */
const putNewcomerBack = (order: number[], { levels, scores }: Standing, session: string): void => {
  const from = order.findIndex((i) => scores[i] === Infinity);
  if (from === -1 || isTriedFirst(hash32(session))) return;
  const [newcomer = 0] = order.splice(from, 1);
  let to = from;
  while (to < Math.min(order.length, TRIAL_PLACES - 1) && isAlike(levels[order[to] ?? 0], levels[newcomer])) to += 1;
  order.splice(to, 0, newcomer);
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
 * Chooses the offers that answer a request: the eligible ones, lower priority numbers first, within a priority by what they
 * are believed to be worth. Scores are drawn from that belief by session and offer, so that a session always sees the same
 * order. Of an advertiser one offer comes before others of its priority have theirs, and eight before all others have.
 * Newcomers have their share of sessions (newcomers.ts). What is near its cap for this session, or was clicked or declined
 * in it, comes last. Sessions that are served at random see what they would see anyway, each priority in random order.
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
  // Few answers are long enough for an advertiser to take more than its share; those put all offers in order first.
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
