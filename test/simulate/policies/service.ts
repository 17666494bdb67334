import type { Fading } from "../../../db/learning/sums.ts";
import { armOf } from "../../../functions/decision/arms.ts";
import type { Candidates } from "../../../functions/decision/columns.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { fold, type KnownCells } from "../../../functions/decision/learning/fold.ts";
import { addFolded, knownOf } from "../../../functions/decision/learning/known.ts";
import { weightOf } from "../../../functions/decision/learning/sums.ts";
import { createShifting } from "./shifting.ts";
import { decide } from "../../../functions/decision/order.ts";
import { makeRates } from "../../support/learning/rates.ts";
import type { OpenOffer, Place, Policy, Visit } from "../core/policy.ts";
import { randomOf } from "../core/random.ts";
import { documentOf, type View } from "./documents.ts";
import { createRipening } from "./ripening.ts";
import { estimateStrengths } from "./strengths.ts";

/** Sets how the service of a simulation differs from the one that is deployed. */
export type ServiceOptions = { seed: number; view?: View; favoursNewcomers?: boolean };

/** Tells besides what the service knows, and what its documents hold. */
export type Service = Policy & {
  knownAt: (now: number) => KnownCells;
  documentAt: (visit: Visit, open: readonly OpenOffer[]) => Candidates;
};

const DAY_MS = 86_400_000;
const FADING: Fading = { halfLife: 60, origin: Date.UTC(2026, 0, 1) / DAY_MS };

const weightAt = (now: number): number => weightOf(Math.floor(now / DAY_MS), FADING);

/** Reads by one name, each once. */
const once = <Read>(read: (name: string) => Read): ((name: string) => Read) => {
  const all = new Map<string, Read>();
  return (name) => {
    let found = all.get(name);
    if (found === undefined) all.set(name, (found = read(name)));
    return found;
  };
};

/** Reads by two names, each pair once. */
const oncePair = <Read>(read: (first: string, second: string) => Read): ((first: string, second: string) => Read) => {
  const all = once((first) => once((second) => read(first, second)));
  return (first, second) => all(first)(second);
};

/** Reads what is known of places, offers and a country's offers once for all documents. */
const sharing = (known: KnownCells): KnownCells => {
  const anywhereIn = oncePair((country, offerId) => known.cell("", country, offerId));
  return {
    ...known,
    cell: (placementId, country, offerId) =>
      placementId === "" ? anywhereIn(country, offerId) : known.cell(placementId, country, offerId),
    offer: once(known.offer),
    others: oncePair(known.others),
    place: oncePair(known.place),
  };
};

/**
 * Makes a policy of the service's own code: documents are rebuilt when they are asked for after something was learned,
 * decided on by the service's `decide`, and what is counted goes through its `fold`. Strengths are estimated, and
 * shifts looked for, every day.
 */
export const servicePolicy = ({ seed, view = "all", favoursNewcomers = true }: ServiceOptions): Service => {
  const ripening = createRipening(FADING);
  const shifting = createShifting();
  // Stands for the tables of the service.
  const rates = makeRates({ maturities: { get: ripening.maturity } });
  const owners = new Map<string, string>();
  const random = randomOf(seed, 1);
  const documents = new Map<Place, { version: number; open: readonly OpenOffer[]; candidates: Candidates }>();
  const request: DecisionRequest = { count: 1, session: "", arm: "0", now: 0 };
  let version = 0;
  let known: KnownCells | null = null;
  let estimatedOn = -1;
  const knownAt = (now: number): KnownCells => (known ??= sharing(knownOf(rates, weightAt(now))));
  const documentAt: Service["documentAt"] = ({ place, now }, open) => {
    let document = documents.get(place);
    if (document?.version !== version || document.open !== open) {
      const build = { known: knownAt(now), now, view, favoursNewcomers, random };
      document = { version, open, candidates: documentOf(build, place, open) };
      documents.set(place, document);
    }
    return document.candidates;
  };
  return {
    knownAt,
    documentAt,
    choose: (visit, open) => {
      const candidates = documentAt(visit, open);
      request.session = visit.session;
      request.count = visit.count;
      request.now = visit.now;
      request.arm = visit.arm ?? armOf(visit.session, visit.count, 0);
      return decide(candidates, null, request).map(({ serial }) => serial);
    },
    learn: (increases, conversions, now) => {
      ripening.add(increases, conversions, now);
      rates.maturity = ripening.usual();
      for (const { offerId, advertiserId } of increases) owners.set(offerId, advertiserId);
      const folded = fold(increases, sharing(knownOf(rates, weightAt(now))), FADING);
      addFolded(rates, folded);
      shifting.add(folded.days);
      version += 1;
      known = null;
      const day = Math.floor(now / DAY_MS);
      if (day === estimatedOn) return;
      estimatedOn = day;
      shifting.judge(rates, owners, day, weightAt(now));
      rates.strengths = estimateStrengths(rates, owners, knownAt(now), weightAt(now));
      known = null;
    },
  };
};
