import { and, sql } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Archived } from "./advertisers.ts";
import { managedOffer } from "./offers.ts";
import type { Db } from "../core/client.ts";
import { updateTime } from "../core/writing/differing.ts";
import { NotFoundError } from "../core/errors.ts";
import { tagOf } from "../core/writing/tags.ts";
import { changedNetwork, networkStatements } from "../documents/network-change.ts";
import type { Changed } from "../documents/outdate.ts";
import { advertisers, offers } from "../schema/demand.ts";

/** Tells in SQL that an offer has a cap and that somebody may have seen it: it was not made paused and left so. */
const mayMeetCap = sql`num_nonnulls(${offers.dailyCap}, ${offers.lifetimeCap}) > 0
  and (${offers.status} = 'active' or ${offers.changedAt} > ${offers.createdAt})`;

/**
 * Deletes an offer that nobody has seen yet; archives one that has hits, which stay counted, or whose cap must hold for
 * hits that are still to come.
 *
 * @returns the tag of an archived offer
 */
export const deleteOffer = async (db: Db, manager: Manager, id: string): Promise<Changed<Archived>> => {
  const archive = { status: "archived" } as const;
  const [, [locked], , [archived], noted, built] = await db.batch([
    // Archiving locks the advertiser, and a change of the advertiser locks its offers: so the advertiser comes first.
    db
      .select({ id: advertisers.id })
      .from(advertisers)
      .where(
        sql`${advertisers.id} = (select ${offers.advertiserId} from ${offers} where ${managedOffer(db, manager, id)})`,
      )
      .for("share"),
    db
      .select({ id: offers.id })
      .from(offers)
      .where(managedOffer(db, manager, id))
      .for("update"),
    db
      .delete(offers)
      .where(
        and(
          managedOffer(db, manager, id),
          sql`not exists (select from daily_hits t where t.offer_id = ${id}) and not (${mayMeetCap})`,
        ),
      ),
    db
      .update(offers)
      .set({ ...archive, updatedAt: updateTime(offers, archive) })
      .where(managedOffer(db, manager, id))
      .returning({ tag: tagOf(offers) }),
    ...networkStatements(db),
  ]);
  if (!locked) throw new NotFoundError("Offer", id);
  return changedNetwork(archived ?? null, noted, built);
};
