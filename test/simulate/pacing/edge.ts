import type { Candidate, NetworkDocument } from "../../../db/documents/types.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { decide } from "../../../functions/decision/order.ts";
import { SAMPLE_OFFERS } from "../../../functions/decision/samples.ts";

/** Holds after how many milliseconds each isolate sees what is published: half of them within 48 seconds, all within 93. */
const DELAYS = [12_000, 24_000, 36_000, 48_000, 57_000, 66_000, 78_000, 93_000];

/** Counts the isolates of an edge. */
export const ISOLATES = DELAYS.length;

/** Is the serial of the paced offer. */
const SERIAL = 7;

const candidate = (id: string, serial: number, priority: number): Candidate => ({
  ...(SAMPLE_OFFERS[0] as Candidate),
  id,
  serial,
  advertiserSerial: serial,
  changedAt: 0,
  advertiserChangedAt: 0,
  priority,
});

const OFFERS = [candidate("ofr_paced", SERIAL, 1), candidate("ofr_other", 8, 2)];

/** Holds the published state of an offer: its step, its taper, and whether it is stopped. */
export type Published = { step: number; taper: number; isStopped: boolean };

const documentOf = ({ step, taper, isStopped }: Published): NetworkDocument => ({
  since: 0,
  offers: isStopped ? [[1, SERIAL]] : [],
  advertisers: [],
  tapered: taper > 0 ? [[taper, SERIAL]] : [],
  paced: step > 0 ? [[step, SERIAL]] : [],
  targeted: { languages: [], currencies: [], paymentTypes: [] },
});

/** Makes an edge of several isolates, each of which sees what is published with its own delay. */
export const createEdge = (first: Published) => {
  const published = [{ at: -Infinity, document: documentOf(first) }];
  const seen = DELAYS.map(() => 0);
  const request: DecisionRequest = { count: 1, session: "", arm: "0", now: 0 };
  return {
    publish: (state: Published, now: number): void => {
      published.push({ at: now, document: documentOf(state) });
    },
    /** Tells whether a session sees the offer first, by the service's own decision. */
    shows: (session: string, isolate: number, now: number): boolean => {
      const i = isolate % ISOLATES;
      let at = seen[i] ?? 0;
      while ((published[at + 1]?.at ?? Infinity) + (DELAYS[i] ?? 0) <= now) at += 1;
      seen[i] = at;
      request.session = session;
      request.now = now;
      return decide({ offers: OFFERS }, published[at]?.document ?? null, request)[0] === OFFERS[0];
    },
  };
};
