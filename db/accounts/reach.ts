import { eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { ForeignError, NotFoundError } from "../core/errors.ts";
import { publishers } from "../schema/accounts.ts";
import type { Actor } from "./actor.ts";

/**
 * Tells in SQL whether something belongs to an actor: to a publisher or a platform its own, to the administrator all.
 */
export const ownedBy = (actor: Actor, publisherId: SQLWrapper, platformId: SQLWrapper): SQL => {
  if (actor.kind === "publisher") return sql`${publisherId} = ${actor.publisherId}`;
  return actor.kind === "platform" ? sql`${platformId} = ${actor.platformId}` : sql`true`;
};

/**
 * Tells in SQL if a row of `publishers` is within an actor's reach. A publisher reaches itself, a platform its
 * publishers, the administrator all.
 */
export const withinReach = (actor: Actor): SQL => ownedBy(actor, publishers.id, publishers.platformId);

/** Tells in SQL whether a publisher exists. Rows below a deleted one stay in the tables until the cron removes them. */
export const isPresent = (publisherId: string): SQL =>
  sql`exists (select from publishers present where present.id = ${publisherId})`;

/**
 * Makes sure that a publisher is within an actor's reach. A publisher's own token needs no query.
 *
 * @throws {NotFoundError} when there is no such publisher
 * @throws {ForeignError} when it is out of the actor's reach
 */
export const requireReach = async (db: Db, actor: Actor, publisherId: string): Promise<void> => {
  if (actor.kind === "publisher" && actor.publisherId === publisherId) return;
  const [found] = await db
    .select({ isReachable: sql<boolean>`${withinReach(actor)}` })
    .from(publishers)
    .where(eq(publishers.id, publisherId));
  if (!found) throw new NotFoundError("Publisher", publisherId);
  if (!found.isReachable) throw new ForeignError();
};
