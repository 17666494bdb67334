import { armOf } from "../../../functions/decision/arms.ts";
import type { Candidates } from "../../../functions/decision/columns.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import type { Fading, Known } from "../../../functions/decision/learning/fold.ts";
import { decide } from "../../../functions/decision/order.ts";
import type { OpenOffer, Place, Policy } from "../core/policy.ts";
import { randomOf } from "../core/random.ts";
import { documentOf, type View } from "./documents.ts";
import { createRipening } from "./ripening.ts";
import { estimateStrengths } from "./strengths.ts";
import { emptyTables, knownOn, learn, weightAt } from "./tables.ts";

/** Sets how the service of a simulation differs from the one that is deployed. */
export type ServiceOptions = { seed: number; view?: View; favoursNewcomers?: boolean };

const DAY_MS = 86_400_000;
const FADING: Fading = { halfLife: 60, origin: Date.UTC(2026, 0, 1) / DAY_MS };

/**
 * Makes a policy of the service's own code: documents are built anew when they are asked for after something was learned,
 * decided on by the service's `decide`, and what is counted goes through its `fold`. Strengths are estimated every day.
 */
export const servicePolicy = ({ seed, view = "all", favoursNewcomers = true }: ServiceOptions): Policy => {
  const tables = emptyTables();
  const ripening = createRipening(FADING);
  const random = randomOf(seed, 1);
  const documents = new Map<Place, { version: number; open: readonly OpenOffer[]; candidates: Candidates }>();
  const request: DecisionRequest = { count: 1, session: "", arm: "0", now: 0 };
  let version = 0;
  let known: Known | null = null;
  let estimatedOn = -1;
  const knownAt = (now: number): Known =>
    (known ??= knownOn(tables, weightAt(now, FADING), ripening.maturity, ripening.usual()));
  return {
    choose: (visit, open) => {
      const { place } = visit;
      let document = documents.get(place);
      if (document?.version !== version || document.open !== open) {
        const weight = weightAt(visit.now, FADING);
        const build = {
          tables,
          known: knownAt(visit.now),
          weight,
          maturity: ripening.maturity,
          now: visit.now,
          view,
          favoursNewcomers,
          random,
        };
        document = { version, open, candidates: documentOf(build, place, open) };
        documents.set(place, document);
      }
      request.session = visit.session;
      request.count = visit.count;
      request.now = visit.now;
      request.arm = armOf(visit.session, visit.count);
      return decide(document.candidates, null, request).map(({ serial }) => serial);
    },
    learn: (increases, conversions, now) => {
      ripening.add(increases, conversions, now);
      learn(tables, increases, knownAt(now), FADING);
      version += 1;
      known = null;
      const day = Math.floor(now / DAY_MS);
      if (day === estimatedOn) return;
      estimatedOn = day;
      tables.strengths = estimateStrengths(tables, knownAt(now), weightAt(now, FADING), ripening.maturity);
      known = null;
    },
  };
};
