import type { Candidate, ChangeGroups, NetworkDocument } from "./types.ts";

/**
 * Maps serials of changed offers and advertisers to the times of their last changes, in milliseconds since 1970, and
 * serials of tapered offers to how often they are halved.
 */
type Changes = Record<"offers" | "advertisers" | "tapered", ReadonlyMap<number, number>>;

const mapped = (since: number, groups: NetworkDocument["offers"]): Map<number, number> => {
  const times = new Map<number, number>();
  for (const [after = 0, ...serials] of groups) for (const serial of serials) times.set(serial, since + after);
  return times;
};

const known = new WeakMap<NetworkDocument, Changes>();

const changesOf = (network: NetworkDocument): Changes => {
  let changes = known.get(network);
  if (!changes) {
    changes = {
      offers: mapped(network.since, network.offers),
      advertisers: mapped(network.since, network.advertisers),
      tapered: mapped(0, network.tapered ?? []),
    };
    known.set(network, changes);
  }
  return changes;
};

/**
 * Lists the changes that an own list lacks or has with an earlier time, in groups of one each, as documents hold them.
 */
const later = (since: number, own: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): ChangeGroups =>
  [...others]
    .filter(([serial, at]) => at > Math.max(since, own.get(serial) ?? 0))
    .map(([serial, at]) => [at - since, serial]);

const union = (one: readonly string[], other: readonly string[]): string[] =>
  [...new Set([...one, ...other])].toSorted();

/**
 * Returns the network's document, with changes added that only another one lists. Two changes made at the same time may
 * each have built one that lacks the other change.
 */
export const withChangesOf = (network: NetworkDocument, other: NetworkDocument): NetworkDocument => {
  const [own, others] = [changesOf(network), changesOf(other)];
  return {
    ...network,
    offers: [...network.offers, ...later(network.since, own.offers, others.offers)],
    advertisers: [...network.advertisers, ...later(network.since, own.advertisers, others.advertisers)],
    targeted: {
      languages: union(network.targeted.languages, other.targeted.languages),
      currencies: union(network.targeted.currencies, other.targeted.currencies),
      paymentTypes: union(network.targeted.paymentTypes, other.targeted.paymentTypes),
    },
  };
};

/**
 * Tells whether an offer changed after its candidates were built, in a way that makes it unfit to be served as built: it
 * was stopped, or its targeting, its reach or its destination changed.
 */
export const isWithheld = (network: NetworkDocument, offer: Candidate): boolean => {
  const { offers, advertisers } = changesOf(network);
  return (
    (offers.get(offer.serial) ?? 0) > offer.changedAt ||
    (advertisers.get(offer.advertiserSerial) ?? 0) > offer.advertiserChangedAt
  );
};

/** Tells how often the share of sessions that see an offer among the first is halved, because it is near a cap. */
export const taperOf = (network: NetworkDocument, offer: Candidate): number =>
  changesOf(network).tapered.get(offer.serial) ?? 0;

/** Counts the offers of a list that {@link isWithheld} keeps from being served. */
export const withheldIn = (network: NetworkDocument, offers: readonly Candidate[]): number =>
  offers.reduce((count, offer) => count + (isWithheld(network, offer) ? 1 : 0), 0);
