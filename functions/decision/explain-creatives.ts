import type { ExplainedCreatives } from "../../db/demand/explained-creatives.ts";
import type { Candidate } from "../../db/documents/types.ts";
import type { OfferStatus } from "../../db/schema/values.ts";
import { hash32 } from "../core/hash.ts";
import { sharesOf, shownTo } from "./creatives.ts";
import { rateOf, brief, type Rate } from "./interval.ts";
import { creativeBeliefs } from "./learning/creatives.ts";

/**
 * Describes a creative of an offer that has several: the share of sessions that see it, null where the offer is not a
 * candidate; whether this session does; what is believed of its rate, wherever it is shown, and the impressions that
 * this comes from. `creativeId` is null for the offer's own.
 */
export type CreativeVerdict = {
  creativeId: string | null;
  number: number;
  name: string;
  status: OfferStatus;
  weight: number;
  share: number | null;
  shown: boolean;
  rate: Rate;
  exposure: number;
};

/** Describes how each creative of an offer performs, and tells which one a session sees. */
export const explainCreatives = (
  { pricing, rates, creatives }: ExplainedCreatives,
  candidate: Candidate | undefined,
  session: string,
): CreativeVerdict[] => {
  const beliefs = creativeBeliefs(creatives, pricing, rates);
  const shares = candidate?.creatives === undefined ? null : sharesOf(candidate);
  const seen = shares && candidate ? shownTo(candidate, hash32(session)).creative : undefined;
  return creatives.flatMap(({ id, number, name, status, weight, exposure }, i) => {
    const belief = beliefs[i];
    if (!belief) return [];
    const share = shares && brief(shares.get(number) ?? 0);
    return [
      {
        creativeId: id,
        number,
        name,
        status,
        weight,
        share,
        shown: number === seen,
        rate: rateOf(belief),
        exposure: brief(exposure),
      },
    ];
  });
};
