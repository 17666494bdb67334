import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { Candidate, CandidatesDocument, NetworkDocument, PlacementDocument } from "../../../db/documents/types.ts";
import { taperOf } from "../../../db/documents/withheld.ts";
import { offerOf, templateOf } from "../../../functions/answer/envelope.ts";
import { tokenOf } from "../../../functions/answer/tracking-token.ts";
import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { ineligibility, type DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { ARMS } from "../../../functions/decision/arms.ts";
import { normalQuantile, stepOf } from "../../../functions/decision/learning/normal.ts";
import { newcomersOf, shareFor, TRIAL_PLACES } from "../../../functions/decision/standing/newcomers.ts";
import { termsOf, worthOf } from "../../../functions/decision/learning/score.ts";
import {
  isFavouring,
  isTapered,
  isTriedFirst,
  newcomerDraw,
  placeDraw,
} from "../../../functions/decision/standing/draws.ts";
import { errorResponse } from "../../../functions/http/errors.ts";
import { settingsOf } from "../../../functions/env.ts";
import type { AppEnv } from "../../../functions/http/factory.ts";
import { identify, REQUEST_ID } from "../../../functions/http/headers.ts";

// Plain ways to do what the service does in faster ones. Tests compare the fast ways with these, and `npm run bench --
// --only clever` measures what each gains.

type Judged = { offer: Candidate; tier: number; score: number };

/** Orders offers by repeatedly taking the best of those that are left. */
const inOrder = (judged: readonly Judged[], isSpreadOut: boolean): Judged[] => {
  const left = [...judged];
  const isRepeated = ({ offer }: Judged) =>
    isSpreadOut && first.has(offer.advertiserSerial) && first.get(offer.advertiserSerial) !== offer;
  const isBefore = (a: Judged, b: Judged) => a.tier - b.tier || b.score - a.score || (a.offer.id < b.offer.id ? -1 : 1);
  const first = new Map<number, Candidate>();
  for (const each of judged.toSorted(isBefore)) {
    if (!first.has(each.offer.advertiserSerial)) first.set(each.offer.advertiserSerial, each.offer);
  }
  return left.toSorted((a, b) => a.tier - b.tier || Number(isRepeated(a)) - Number(isRepeated(b)) || isBefore(a, b));
};

/** Puts an offer behind all others of its tier among the first four places. */
const putBack = (answered: readonly Judged[], moved: Candidate): Judged[] => {
  const from = answered.findIndex(({ offer }) => offer === moved);
  const one = answered[from];
  if (!one) return [...answered];
  const rest = answered.toSpliced(from, 1);
  const to = rest.findLastIndex(({ tier }, i) => i < TRIAL_PLACES - 1 && tier === one.tier) + 1;
  return rest.toSpliced(Math.max(from, to), 0, one);
};

/** Puts each stretch of offers of one tier into the order of their draws. */
const byChance = (answered: readonly Judged[], session: number): Judged[] => {
  const [head] = answered;
  if (!head) return [];
  const end = answered.findIndex(({ tier }) => tier !== head.tier);
  const stretch = end === -1 ? answered : answered.slice(0, end);
  const drawn = stretch.toSorted(
    (a, b) => placeDraw(session, hash32(a.offer.id)) - placeDraw(session, hash32(b.offer.id)),
  );
  return [...drawn, ...byChance(answered.slice(stretch.length), session)];
};

const doubtOf = (z: number): number => (z > 0 ? z : z / 1_000);

/** Chooses offers by filtering all of them, sorting the rest and taking the first: eight of an advertiser, then all. */
export const decideNaively = (
  { offers, learned }: Pick<CandidatesDocument, "offers" | "learned">,
  network: NetworkDocument | null,
  request: DecisionRequest,
): Candidate[] => {
  const session = hash32(request.session);
  const eligible = offers.filter((offer) => ineligibility(offer, network, request) === null);
  const tierOf = (offer: Candidate): number => {
    const isLast =
      (network !== null && isTapered(taperOf(network, offer), session, hash32(offer.id))) ||
      request.seen?.includes(offer.id);
    return offer.priority + (isLast ? 1_000 : 0);
  };
  const all = newcomersOf(offers, learned);
  const isNewcomer = (offer: Candidate) => all.some(({ at }) => offers[at] === offer);
  const newcomers = all.filter(({ at, hope }) => {
    const offer = offers[at] as Candidate;
    const better = eligible.filter((other) => tierOf(other) < tierOf(offer));
    const beside = eligible.filter((other) => tierOf(other) === tierOf(offer) && !isNewcomer(other));
    const most = Math.max(0, ...beside.map((other) => worthOf(other, offers.indexOf(other), learned).expected));
    return eligible.includes(offer) && tierOf(offer) < 1_000 && better.length < request.count && hope >= most;
  });
  const isGenerous = request.arm !== ARMS.holdout && isFavouring(session, shareFor(newcomers, request.count));
  const [first] = isGenerous
    ? newcomers
        .map(({ at }) => offers[at] as Candidate)
        .toSorted((a, b) => newcomerDraw(session, hash32(b.id)) - newcomerDraw(session, hash32(a.id)))
    : [];
  const sorted = inOrder(
    eligible.map((offer) => {
      const drawn = mix32(session, hash32(offer.id));
      const { center, spread } = termsOf(worthOf(offer, offers.indexOf(offer), learned));
      const learnedScore = center + spread * doubtOf(normalQuantile((stepOf(drawn) + 0.5) / 4096));
      const formerScore = Math.log((drawn + 0.5) / 2 ** 32) / Math.max(offer.ecpmMicros, 1);
      const score = request.arm === ARMS.holdout ? formerScore : learnedScore;
      return { offer, tier: tierOf(offer), score: offer === first ? Infinity : score };
    }),
    request.arm !== ARMS.holdout,
  );
  const counts = new Map<number, number>();
  const beyond = new Set(
    sorted.filter(({ offer: { advertiserSerial } }) => {
      counts.set(advertiserSerial, (counts.get(advertiserSerial) ?? 0) + 1);
      return (counts.get(advertiserSerial) ?? 0) > 8;
    }),
  );
  let answered = sorted.toSorted((a, b) => Number(beyond.has(a)) - Number(beyond.has(b))).slice(0, request.count);
  if (first && request.arm === ARMS.learned && !isTriedFirst(session)) answered = putBack(answered, first);
  if (request.arm === ARMS.random) answered = byChance(answered, session);
  return answered.map(({ offer }) => offer);
};

/** Renders an answer by building all of it and writing that as JSON. */
export const renderNaively = (
  base: string,
  placement: PlacementDocument,
  offers: readonly Candidate[],
  seal: string,
): string => {
  const { adDisplayDelay, templateData } = templateOf(base, placement.siteName, placement.data);
  return JSON.stringify({
    offers: offers.map((offer) => offerOf(base, offer, tokenOf(seal, offer))),
    adDisplayDelay,
    isTestMode: !placement.isLiveMode,
    siteStatus: placement.siteStatus,
    templateData,
  });
};

/** Makes an app with hono's own router, which looks up the handlers for every request. */
export const plainApp = () => new HonoBase<AppEnv>({ router: new TrieRouter() });

/** Makes an app whose endpoints are opened to web pages by middleware, with the headers that are exposed and added. */
export const openByMiddleware = (exposed: readonly string[], added: Record<string, string>) => {
  const app = plainApp();
  app.use(async (c, next) => {
    const id = identify(c);
    settingsOf(c.env);
    await next();
    const headers = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", ...added, [REQUEST_ID]: id };
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    if (c.error) c.res.headers.set("Access-Control-Expose-Headers", exposed.join(","));
  });
  app.onError((error, c) => errorResponse(error, c, { shape: "B", unavailable: "INTERNAL_SERVER_ERROR" }));
  return app;
};
