import { USUAL_OFFERS } from "../../db/documents/candidates/room.ts";
import type {
  Candidate,
  CandidatesDocument,
  KeyDocument,
  NetworkDocument,
  PlacementDocument,
} from "../../db/documents/types.ts";
import { columnsOf, type Candidates } from "./columns.ts";
import type { DecisionRequest } from "./eligibility.ts";
import { decide } from "./order.ts";
import { SAMPLE_OFFERS } from "./samples.ts";

/** Lists the reasons why an answer may have no offers, as in the header `x-no-fill-reason`. */
export const NO_FILL_REASONS = [
  "publisher_inactive",
  "publisher_ads_disabled",
  "site_not_active",
  "site_ads_disabled",
  "placement_inactive",
  "no_eligible_offer",
] as const;

/** Names why an answer has no offers. */
export type NoFillReason = (typeof NO_FILL_REASONS)[number];

/** Holds what a request for offers is decided on. */
export type Situation = {
  publisher: Pick<KeyDocument, "status" | "adsEnabled">;
  placement: PlacementDocument;
  candidates: CandidatesDocument | null;
  network: NetworkDocument | null;
};

/** Holds the offers that answer a request, in order, or why there are none. */
export type Answer = { chosen: readonly Candidate[]; isTest: boolean; noFillReason: NoFillReason | null };

/** Stands for candidates of a placement that has none. */
const NONE: Candidates = { offers: [] };

/** Returns the first switch that keeps offers off a placement, or null when all of them are on. */
export const switchedOff = (
  publisher: Pick<KeyDocument, "status" | "adsEnabled">,
  placement: PlacementDocument,
): NoFillReason | null => {
  if (publisher.status !== "active") return "publisher_inactive";
  if (!publisher.adsEnabled) return "publisher_ads_disabled";
  if (placement.siteStatus !== "active") return "site_not_active";
  if (!placement.siteAdsEnabled) return "site_ads_disabled";
  if (placement.status !== "active") return "placement_inactive";
  return null;
};

/** Tells whether a list leaves out offers that a request may need. */
export const isCut = ({ cut, reopensAt }: CandidatesDocument, now: number): boolean =>
  cut || (reopensAt !== null && now >= reopensAt);

const hasWithheld = ({ offers }: CandidatesDocument, network: NetworkDocument | null): boolean =>
  columnsOf(offers, network).hasWithheld;

/** Tells whether a list lacks offers that a request may need: it leaves some out, or some changed since it was built. */
export const lacksOffers = (candidates: CandidatesDocument, network: NetworkDocument | null, now: number): boolean =>
  isCut(candidates, now) || hasWithheld(candidates, network);

/**
 * Tells whether an answer has fewer offers than were asked for because its list of candidates is cut, or fewer than
 * usual because some of them changed. An answer with enough to show never waits for somebody else's change.
 */
export const comesShort = (
  { candidates, network }: Situation,
  { chosen, isTest, noFillReason }: Answer,
  { count, now }: DecisionRequest,
): boolean => {
  const isFull = chosen.length >= count;
  if (isTest || isFull || candidates === null) return false;
  if (noFillReason !== null && noFillReason !== "no_eligible_offer") return false;
  return isCut(candidates, now) || (chosen.length < USUAL_OFFERS && hasWithheld(candidates, network));
};

/** Answers a request: nothing where a switch is off, samples in test mode, otherwise what {@link decide} chooses. */
export const answer = ({ publisher, placement, candidates, network }: Situation, request: DecisionRequest): Answer => {
  const isTest = !placement.isLiveMode;
  const off = switchedOff(publisher, placement);
  if (off) return { chosen: [], isTest, noFillReason: off };
  const chosen = isTest ? SAMPLE_OFFERS.slice(0, request.count) : decide(candidates ?? NONE, network, request);
  return { chosen, isTest, noFillReason: chosen.length === 0 ? "no_eligible_offer" : null };
};
