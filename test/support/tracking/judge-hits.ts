import type { Hit } from "../../../db/tracking/hits.ts";
import { DAY } from "./hits.ts";

/** Describes what judging needs to know of an offer; `share` is in ten-thousandths, `price` in micro-USD. */
export type PricedOffer = {
  id: string;
  paidKind: Hit["kind"] | null;
  price: number;
  share: number;
  dailyCap?: number;
  lifetimeCap?: number;
};

type Verdict = { id: string; outcome: string; gross: number; revenue: number };

const dayOf = (hit: Hit): number => Math.floor(hit.occurredAt / DAY);
const inOrder = (a: Hit, b: Hit): number =>
  dayOf(a) - dayOf(b) || a.occurredAt - b.occurredAt || (a.id < b.id ? -1 : 1);

/**
 * Judges hits that are delivered one batch after the other, in the simplest way: the service's statement must agree.
 * `stored` holds the hits that are stored, `again` the ids of those that are only counted.
 */
export const judge = (batches: readonly (readonly Hit[])[], offers: readonly PricedOffer[]) => {
  const stored = new Map<string, Verdict>();
  const again = new Map<string, string>();
  const first = new Set<string>();
  const used = new Map<string, number>();
  const billedAt = new Map<string, { first: number; last: number }>();
  const usedBy = (name: string): number => used.get(name) ?? 0;

  const decide = (hit: Hit): Omit<Verdict, "id"> => {
    const offer = offers.find(({ id }) => id === hit.offerId);
    if (hit.reason !== null) return { outcome: hit.reason, gross: 0, revenue: 0 };
    if (!offer || offer.paidKind !== hit.kind) return { outcome: "counted", gross: 0, revenue: 0 };
    const subject = hit.sessionHash ?? hit.addressHash;
    // Billings of customers without a session are forgotten after two days.
    if (hit.sessionHash === null && subject !== null && dayOf(hit) * DAY < Date.now() - 2 * DAY) {
      return { outcome: "repeated", gross: 0, revenue: 0 };
    }
    const payer = `${hit.offerId} ${hit.kind} ${subject}`;
    const recent = subject === null ? undefined : billedAt.get(payer);
    if (recent && hit.occurredAt > recent.first - DAY && hit.occurredAt < recent.last + DAY) {
      return { outcome: "repeated", gross: 0, revenue: 0 };
    }
    const onDay = `${offer.id} ${dayOf(hit)}`;
    const isFull = usedBy(offer.id) >= (offer.lifetimeCap ?? Infinity) || usedBy(onDay) >= (offer.dailyCap ?? Infinity);
    if (isFull) return { outcome: "over_cap", gross: 0, revenue: 0 };
    for (const name of [offer.id, onDay]) used.set(name, usedBy(name) + 1);
    const { first: from, last: to } = recent ?? { first: hit.occurredAt, last: hit.occurredAt };
    billedAt.set(payer, { first: Math.min(from, hit.occurredAt), last: Math.max(to, hit.occurredAt) });
    return { outcome: "counted", gross: offer.price, revenue: (offer.price * offer.share) / 10_000 };
  };

  for (const batch of batches) {
    for (const hit of batch.toSorted(inOrder)) {
      if (stored.has(hit.id) || again.has(hit.id)) continue;
      const subject = `${hit.decisionId} ${hit.offerId} ${hit.kind} ${hit.reason}`;
      if (first.has(subject)) again.set(hit.id, hit.reason ?? "duplicate");
      else stored.set(hit.id, { id: hit.id, ...decide(hit) });
      first.add(subject);
    }
  }
  return { stored, again };
};
