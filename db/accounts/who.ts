import { eq } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { NotFoundError } from "../core/errors.ts";
import { platforms, publishers } from "../schema/accounts.ts";
import type { Actor, TokenRights } from "./actor.ts";

/**
 * Describes a caller to itself: the administrator has neither id nor name, and only publishers' tokens have limited
 * rights.
 */
export type Who = { kind: Actor["kind"]; id: string | null; name: string | null } & TokenRights;

const ALL: TokenRights = { access: "WRITE", revenueAccess: true, grossAccess: true };

/**
 * Tells who an actor is, and what its credential may do.
 *
 * @throws {NotFoundError} when its account was deleted a moment ago
 */
export const whoIs = async (db: Db, actor: Actor): Promise<Who> => {
  if (actor.kind === "admin") return { kind: "admin", id: null, name: null, ...ALL };
  if (actor.kind === "platform") {
    const [found] = await db.select({ name: platforms.name }).from(platforms).where(eq(platforms.id, actor.platformId));
    if (!found) throw new NotFoundError("Platform", actor.platformId);
    return { kind: "platform", id: actor.platformId, name: found.name, ...ALL };
  }
  const { publisherId: id, access, revenueAccess, grossAccess } = actor;
  const [found] = await db.select({ name: publishers.name }).from(publishers).where(eq(publishers.id, id));
  if (!found) throw new NotFoundError("Publisher", id);
  return { kind: "publisher", id, name: found.name, access, revenueAccess, grossAccess };
};
