import { count, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { updateTime } from "../core/writing/differing.ts";
import { NameTakenError, NotFoundError, violatesForeignKey, violatesUnique } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Page } from "../core/paging.ts";
import { platforms, platformTokens } from "../schema/accounts.ts";
import { hashSecret, makeKey } from "../core/secrets/secrets.ts";

const NAME_KEY = "platforms_name_unique";

const shape = {
  id: platforms.id,
  name: platforms.name,
  elevatedLimits: platforms.elevatedLimits,
  createdAt: platforms.createdAt,
  updatedAt: platforms.updatedAt,
};

const makeToken = async (platformId: string) => {
  const bearer = makeKey("platform");
  return { bearer, row: { id: newId("token"), platformId, hash: await hashSecret(bearer) } };
};

/**
 * Creates a platform with its token, which is shown only this once.
 *
 * @throws {NameTakenError} when another platform has the name
 */
export const createPlatform = async (db: Db, input: { name: string; elevatedLimits?: boolean | undefined }) => {
  const id = newId("platform");
  const { bearer, row } = await makeToken(id);
  try {
    const [, , [platform]] = await db.change([
      db.insert(platforms).values({ id, ...input }),
      db.insert(platformTokens).values(row),
      db.select(shape).from(platforms).where(eq(platforms.id, id)),
    ]);
    if (!platform) throw new Error("an insert left nothing");
    return { value: { ...platform, token: bearer }, outdated: [] };
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Platform", input.name) : error;
  }
};

/** Lists all platforms, newest first, and counts them. */
export const listPlatforms = async (db: Db, page: Page) => {
  const [rows, [all]] = await db.batch([
    db
      .select(shape)
      .from(platforms)
      .orderBy(desc(platforms.createdAt), platforms.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(platforms),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/**
 * Renames a platform or sets whether its publishers may switch sites more often than others. Platforms change one after
 * the other, because two that swap names would deadlock.
 *
 * @throws {NotFoundError} when there is no such platform
 * @throws {NameTakenError} when another platform has the name
 */
export const updatePlatform = async (
  db: Db,
  id: string,
  input: { name?: string | undefined; elevatedLimits?: boolean | undefined },
) => {
  try {
    const [, [platform]] = await db.batch([
      db.execute(sql`select pg_advisory_xact_lock(hashtextextended('platforms', 0))`),
      db
        .update(platforms)
        .set({ ...input, updatedAt: updateTime(platforms, input) })
        .where(eq(platforms.id, id))
        .returning(shape),
    ]);
    if (!platform) throw new NotFoundError("Platform", id);
    return { value: platform, outdated: [] };
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Platform", input.name ?? "") : error;
  }
};

/**
 * Gives a platform a new token. Its present tokens stay valid for a while, so that it can switch over. Rotations take
 * turns, so that the later one also ends the token of the earlier.
 *
 * @param overlapSeconds how long; 0 ends them at once
 * @throws {NotFoundError} when there is no such platform
 */
export const rotatePlatformToken = async (db: Db, platformId: string, overlapSeconds: number) => {
  const { bearer, row } = await makeToken(platformId);
  const end = sql`now() + make_interval(secs => ${overlapSeconds})`;
  try {
    const [, , [token]] = await db.change([
      db.select({ id: platforms.id }).from(platforms).where(eq(platforms.id, platformId)).for("no key update"),
      db
        .update(platformTokens)
        .set({ expiresAt: sql`least(coalesce(${platformTokens.expiresAt}, ${end}), ${end})` })
        .where(eq(platformTokens.platformId, platformId)),
      db.insert(platformTokens).values(row).returning({ id: platformTokens.id, createdAt: platformTokens.createdAt }),
    ]);
    if (!token) throw new Error("an insert returned nothing");
    return { value: { id: platformId, token: bearer, createdAt: token.createdAt }, outdated: [] };
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Platform", platformId) : error;
  }
};
