import { hash32 } from "../../core/hash.ts";
import type { ScoreTerms } from "../columns.ts";
import { isFavouring, isTriedFirst, newcomerDraw } from "./draws.ts";
import { hopefulOf, shareFor, TRIAL_PLACES } from "./newcomers.ts";
import { isAlike, LAST, OUT, type Standing } from "./standing.ts";

/**
 * Returns the last level that an answer of `count` offers reaches when it takes all offers of one level after another.
 */
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
 * Picks the newcomer that a session sees, by chance among those of all priorities that its answer reaches. Were it
 * always the first, one that is alone in its priority, and first anyway, would keep others from their share. Returns -1
 * if the session sees none.
 */
export const favouredOf = (
  terms: ScoreTerms,
  hashes: Uint32Array,
  session: number,
  count: number,
  levels: Int32Array,
): number => {
  const { newcomers } = terms;
  if (!isFavouring(session, shareFor(newcomers, count))) return -1;
  // An offer that comes last for this session is never favoured.
  const last = Math.min(lastLevel(levels, hashes.length, count), 2 * LAST - 1);
  const near = newcomers.filter(({ at }) => levels[at] !== OUT && (levels[at] ?? 0) <= last);
  const hopeful = hopefulOf(near, terms, levels);
  if (!isFavouring(session, shareFor(hopeful, count))) return -1;
  const draw = (at: number): number => newcomerDraw(session, hashes[at] ?? 0);
  return hopeful.reduce((best, { at }) => (best === -1 || draw(at) > draw(best) ? at : best), -1);
};

/**
 * Moves the newcomer that a session is to see behind others of its priority: a little-known offer costs least where the
 * fewest customers look. Some sessions still see it first, for shops that show only one offer.
 */
export const putNewcomerBack = (order: number[], { levels, scores }: Standing, session: string): void => {
  const from = order.findIndex((i) => scores[i] === Infinity);
  if (from === -1 || isTriedFirst(hash32(session))) return;
  const [newcomer = 0] = order.splice(from, 1);
  let to = from;
  while (to < Math.min(order.length, TRIAL_PLACES - 1) && isAlike(levels[order[to] ?? 0], levels[newcomer])) to += 1;
  order.splice(to, 0, newcomer);
};
