import { sql, type SQL } from "drizzle-orm";
import { publishers } from "../schema/accounts.ts";

/** Who acts. `elevated` callers may switch sites more often; the two kinds of access show money in reports. */
export type Actor =
  | {
      kind: "publisher";
      publisherId: string;
      tokenId: string;
      elevated: boolean;
      revenueAccess: boolean;
      grossAccess: boolean;
    }
  | { kind: "platform"; platformId: string }
  | { kind: "admin" };

export type PublisherActor = Extract<Actor, { kind: "publisher" }>;

/** How an audit record names an actor: the contract's part 6. */
export const auditSource = (actor: Actor): string => {
  if (actor.kind === "publisher") return `publisher:${actor.publisherId}`;
  return actor.kind === "platform" ? `service:${actor.platformId}` : "admin";
};

/** Whether a row of `publishers` is within an actor's reach: its own, of its platform, or any. */
export const withinReach = (actor: Actor): SQL => {
  if (actor.kind === "publisher") return sql`${publishers.id} = ${actor.publisherId}`;
  return actor.kind === "platform" ? sql`${publishers.platformId} = ${actor.platformId}` : sql`true`;
};
