import type { CandidatesKey } from "../../../db/documents/keys.ts";
import { narrowingOf } from "../../../db/documents/candidates/narrowing.ts";
import type { CandidatesDocument, NetworkDocument } from "../../../db/documents/types.ts";
import { within } from "../../core/calls/within.ts";
import { answer, lacksOffers, type Answer, type Situation } from "../../decision/decide.ts";
import type { DecisionRequest } from "../../decision/eligibility.ts";
import { documentKeys, isOutOfUse, knownInMemory, readAnew, readDocuments } from "../../documents/read.ts";

/** Limits how long an answer that comes short waits for a narrower list, in milliseconds. */
const LIMIT_MS = 300;

/** Holds where a request comes from: its placement and country. */
type Place = { placementId: string; country: string };

type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

const keyOf = ({ placementId, country }: Place, request: DecisionRequest, network: NetworkDocument | null) =>
  network && documentKeys.narrow(placementId, country, narrowingOf(request, network.targeted));

/** Returns the key of a request's narrower list if its broad list is known to lack offers; null otherwise. */
export const knownNarrow = (place: Place, request: DecisionRequest): CandidatesKey | null => {
  const broad = knownInMemory(documentKeys.candidates(place.placementId, place.country));
  const network = knownInMemory(documentKeys.network);
  return broad && lacksOffers(broad, network, request.now) ? keyOf(place, request, network) : null;
};

/**
 * Reads a narrower list, which is rebuilt if changes have put memory's copy out of use; if it does not come in time,
 * memory's copy of any age.
 */
const readNarrow = (
  c: Context,
  key: CandidatesKey,
  network: NetworkDocument | null,
  now: number,
): CandidatesDocument | null | Promise<CandidatesDocument | null> => {
  const read = isOutOfUse(key, network, now)
    ? readAnew(c.env, c.executionCtx, key)
    : readDocuments(c.env, c.executionCtx, { narrow: key });
  if (!(read instanceof Promise)) return read.narrow;
  const found = read.then(
    ({ narrow }) => narrow,
    () => null,
  );
  return within(found, LIMIT_MS).then((narrow) => narrow ?? knownInMemory(key));
};

/** Holds an answer and the list that it was decided on. */
type Completed = { answered: Answer; candidates: CandidatesDocument | null };

/**
 * Answers a request once more, from a narrower list, because the broad one lacks offers and came short.
 *
 * @param broad the answer from the broad list, which is kept if the narrower one does not come or gives fewer offers
 * @param narrow the narrower list, if it was read, too
 * @returns no promise if there is no narrower list, or memory has one that can answer
 */
export const completed = (
  c: Context,
  place: Place,
  situation: Situation,
  request: DecisionRequest,
  broad: Answer,
  narrow?: CandidatesDocument | null,
): Completed | Promise<Completed> => {
  const better = (candidates: CandidatesDocument | null): Completed => {
    const answered = candidates ? answer({ ...situation, candidates }, request) : null;
    return answered && answered.chosen.length >= broad.chosen.length
      ? { answered, candidates }
      : { answered: broad, candidates: situation.candidates };
  };
  if (narrow) return better(narrow);
  const key = keyOf(place, request, situation.network);
  const read = key === null ? null : readNarrow(c, key, situation.network, request.now);
  return read instanceof Promise ? read.then(better) : better(read);
};
