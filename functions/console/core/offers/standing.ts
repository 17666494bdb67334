import type { Offer } from "#client";

/**
 * Holds what keeps an active offer from being shown at all, with the time when that began or ends, or its advertiser's
 * status.
 */
export type Hindrance =
  | { why: "starts" | "ended"; at: string }
  | { why: "cap" }
  | { why: "advertiser"; status: string };

type Judged = Pick<Offer, "startsAt" | "endsAt"> & {
  usage: Pick<NonNullable<Offer["usage"]>, "reached"> | null;
  advertiser?: Pick<NonNullable<Offer["advertiser"]>, "status"> | undefined;
};

/**
 * Lists what keeps an offer from being shown at all, besides its own status. Its advertiser counts if it was read, too.
 */
export const hindrancesOf = ({ startsAt, endsAt, usage, advertiser }: Judged, now: number): Hindrance[] => [
  ...(startsAt !== null && Date.parse(startsAt) > now ? [{ why: "starts", at: startsAt } as const] : []),
  ...(endsAt !== null && Date.parse(endsAt) <= now ? [{ why: "ended", at: endsAt } as const] : []),
  ...(usage?.reached ? [{ why: "cap" } as const] : []),
  ...(advertiser && advertiser.status !== "active" ? [{ why: "advertiser", status: advertiser.status } as const] : []),
];
