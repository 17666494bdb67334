import { sql, type SQL } from "drizzle-orm";
import { apiTokens } from "../schema/accounts.ts";
import type { TokenAccess } from "../schema/values.ts";

/** Says what a private token may do: write or only read, and which money its reports show. */
export type TokenRights = { access: TokenAccess; revenueAccess: boolean; grossAccess: boolean };

/** Describes who acts. `elevated` callers may switch sites more often. */
export type Actor =
  | ({ kind: "publisher"; publisherId: string; elevated: boolean } & TokenRights)
  | { kind: "platform"; platformId: string }
  | { kind: "admin" };

/** Describes a publisher that acts by one of its private tokens. */
export type PublisherActor = Extract<Actor, { kind: "publisher" }>;

/** Describes who manages publishers and demand: a platform its own, the administrator all. */
export type Manager = Extract<Actor, { kind: "platform" | "admin" }>;

/** Returns the id of the publisher or platform that acts; null for the administrator. */
export const idOfActor = (actor: Actor): string | null => {
  if (actor.kind === "admin") return null;
  return actor.kind === "publisher" ? actor.publisherId : actor.platformId;
};

/**
 * Names the group that shares idempotency keys, and so answers, with an actor: a publisher's tokens that see the same
 * money, which may list each other's bearers; all tokens of a platform; the administrator.
 */
export const peersOf = (actor: Actor): string => {
  const id = `${actor.kind}:${idOfActor(actor) ?? ""}`;
  if (actor.kind !== "publisher") return id;
  const seen = [...(actor.revenueAccess ? ["revenue"] : []), ...(actor.grossAccess ? ["gross"] : [])];
  return [id, ...seen].join(":");
};

/** Tells whether a token has more access than an actor. Managers have all access, so no token has more. */
export const exceeds = (token: TokenRights, actor: Actor): boolean =>
  actor.kind === "publisher" &&
  ((token.revenueAccess && !actor.revenueAccess) ||
    (token.grossAccess && !actor.grossAccess) ||
    (token.access === "WRITE" && actor.access === "READ"));

/** Tells in SQL whether a token has no more access than an actor: the opposite of {@link exceeds}. */
export const isWithinRights = (actor: Actor): SQL<boolean> =>
  actor.kind === "publisher"
    ? sql`(${apiTokens.revenueAccess} <= ${actor.revenueAccess} and ${apiTokens.grossAccess} <= ${actor.grossAccess}
        and (${apiTokens.access} = 'READ' or ${actor.access} = 'WRITE'))`
    : sql`true`;
