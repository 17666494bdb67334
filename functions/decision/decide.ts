import type {
  Candidate,
  CandidatesDocument,
  KeyDocument,
  NetworkDocument,
  PlacementDocument,
} from "../../db/documents/types.ts";
import { decide, type DecisionRequest } from "./order.ts";
import { SAMPLE_OFFERS } from "./samples.ts";
import { switchedOff, type NoFillReason } from "./switches.ts";

/** What a request for offers is decided on. */
export type Situation = {
  publisher: Pick<KeyDocument, "status" | "adsEnabled">;
  placement: PlacementDocument;
  candidates: CandidatesDocument | null;
  network: NetworkDocument | null;
};

/** The offers that answer a request, in order, and why there are none. */
export type Answer = { chosen: readonly Candidate[]; isTest: boolean; noFillReason: NoFillReason | null };

/** Tells whether a list leaves out offers that a request may need. */
export const isCut = ({ cut, reopensAt }: CandidatesDocument, now: number): boolean =>
  cut || (reopensAt !== null && now >= reopensAt);

/** Tells whether an answer has fewer offers than were asked for because its list of candidates is cut. */
export const comesShort = (
  { candidates }: Situation,
  { chosen, isTest, noFillReason }: Answer,
  request: DecisionRequest,
) =>
  !isTest &&
  (noFillReason === null || noFillReason === "no_eligible_offer") &&
  chosen.length < request.count &&
  candidates !== null &&
  isCut(candidates, request.now);

/** Answers a request: nothing where a switch is off, samples in test mode, otherwise what {@link decide} chooses. */
export const answer = ({ publisher, placement, candidates, network }: Situation, request: DecisionRequest): Answer => {
  const isTest = !placement.isLiveMode;
  const off = switchedOff(publisher, placement);
  if (off) return { chosen: [], isTest, noFillReason: off };
  const chosen = isTest ? SAMPLE_OFFERS.slice(0, request.count) : decide(candidates?.offers ?? [], network, request);
  return { chosen, isTest, noFillReason: chosen.length === 0 ? "no_eligible_offer" : null };
};
