import { NEW_EXPOSURE } from "../../../db/learning/sums.ts";
import { retellLast, type Candidates, type Retellable } from "../columns.ts";
import type { Evidence } from "../learning/belief.ts";
import { slotEffect } from "../learning/fold.ts";
import { factorAt } from "../learning/score.ts";
import type { Stage } from "../learning/sums.ts";
import { decide } from "../order.ts";
import type { Draw } from "./draws.ts";
import { candidateOf, PLANNED_ID, requestOf, type Fact, type Planned } from "./requests.ts";

/** Holds a request that would be admitted, with the candidates that would answer it otherwise. */
export type Play = { fact: Fact; candidates: Candidates };

/**
 * Holds what else is known: the number of requests on each day, the advertiser's rates by stage, how places in answers
 * affect clicks, and how often an offer in each place is seen.
 */
export type Surroundings = {
  days: readonly number[];
  rates: readonly number[];
  slots: readonly Evidence[];
  seen: readonly number[];
};

/**
 * Sets after how many further impressions the order looks again at what it knows of an offer: at least so many, and as
 * many as the offer has had so far. What it knows after the last look changes little.
 */
const FIRST_LOOK = 20;

/** Sets how often the order looks at what it has learned about the offer. */
export const LOOKS = 9;

/**
 * Holds the candidates of a placement and country: a list for while the planned offer is new, and one for later, each
 * with that offer at its end. `factors` has the factors by which the place differs from others, by stage.
 */
type Joined = { whileNew: Retellable; later: Retellable; factors: readonly number[] };

/** Holds a request with all candidates that would answer it. */
export type JoinedPlay = { fact: Fact; joined: Joined };

/** Adds a planned offer to the candidates. */
const joinedWith = (planned: Planned, stages: readonly Stage[], { offers, learned }: Candidates): Joined => {
  const offer = candidateOf(planned);
  const told = learned ?? { places: [0, 0, 0, 0], strengths: [], rates: offers.map(() => []) };
  const beside = (isNew: boolean): Retellable => ({
    offers: [...offers, { ...offer, isNew }],
    learned: { ...told, rates: [...told.rates] },
  });
  const factors = stages.map((stage) => factorAt(stage, learned));
  return { whileNew: beside(stages.length > 0), later: beside(false), factors };
};

/**
 * Adds a planned offer to the candidates of each request. Requests with the same list of candidates share the result.
 */
export const joinedPlays = (planned: Planned, stages: readonly Stage[], plays: readonly Play[]): JoinedPlay[] => {
  const lists = new Map<Candidates, Joined>();
  for (const { candidates } of plays) {
    if (!lists.has(candidates)) lists.set(candidates, joinedWith(planned, stages, candidates));
  }
  return plays.map(({ fact, candidates }) => ({ fact, joined: lists.get(candidates) as Joined }));
};

/**
 * Answers each request of a sample, and returns how often the planned offer is seen per request, given what is known of
 * it. `weighed` has this multiplied by the effects of its place in the answer, and of its placement and country: for
 * clicks, and for conversions.
 */
const answered = (
  sample: readonly JoinedPlay[],
  own: readonly Evidence[],
  { rates, slots, seen }: Surroundings,
  session: string,
): { views: number; weighed: number[] } => {
  const told = own.flatMap(({ count, exposure }, stage) => [rates[stage] ?? 0, count, exposure, 0, 0]);
  const isNew = (own[0]?.exposure ?? Infinity) < NEW_EXPOSURE;
  const listOf = ({ joined }: JoinedPlay): Retellable => (isNew ? joined.whileNew : joined.later);
  for (const candidates of new Set(sample.map(listOf))) retellLast(candidates, told);
  const weighed = own.map(() => 0);
  let views = 0;
  for (const [i, play] of sample.entries()) {
    const { fact, joined } = play;
    const candidates = listOf(play);
    const answer = decide(candidates, null, requestOf(fact, `${session} ${i}`));
    const place = answer.findIndex(({ id }) => id === PLANNED_ID);
    if (place === -1) continue;
    const view = (seen[place] ?? 0) / sample.length;
    views += view;
    let weight = view * slotEffect(slots, place);
    for (const [stage, factor] of joined.factors.entries()) {
      weight *= factor;
      weighed[stage] = (weighed[stage] ?? 0) + weight;
    }
  }
  return { views, weighed };
};

/**
 * Draws a week of a planned offer. The order learns about the offer as it is shown.
 *
 * @param sample requests of the week
 * @param drawn the offer's rates by stage; none where impressions are paid for
 * @param met how many of the week's requests the offer is for
 * @returns how often it is shown, and how often it is paid for if no cap limits it
 */
export const drawWeek = (
  sample: readonly JoinedPlay[],
  drawn: readonly number[],
  met: number,
  surroundings: Surroundings,
  draw: Draw,
  name: string,
): { shown: number; paid: number } => {
  const own = drawn.map((): Evidence => ({ count: 0, exposure: 0 }));
  let shown = 0;
  let rest = met;
  for (let look = 1; rest > 0; look++) {
    const { views, weighed } = answered(sample, own, surroundings, `${name} ${look}`);
    const isLast = look === LOOKS || views === 0 || own.length === 0;
    const requests = isLast ? rest : Math.min(rest, Math.max(FIRST_LOOK, shown) / views);
    rest -= requests;
    shown += draw.poisson(requests * views);
    // The exposure of each stage is what the stage before it led to.
    let led = requests;
    let weight = 1;
    for (const [stage, sums] of own.entries()) {
      const next = weighed[stage] ?? 0;
      const exposure = weight > 0 ? (led * next) / weight : 0;
      led = draw.poisson(exposure * (drawn[stage] ?? 0));
      weight = next;
      sums.exposure += exposure;
      sums.count += led;
    }
  }
  return { shown, paid: own.at(-1)?.count ?? shown };
};
