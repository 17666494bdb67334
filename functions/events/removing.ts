import { continueRemoval, firstRemoval } from "../../db/accounts/removal.ts";
import { connect } from "../../db/core/client.ts";
import { KEPT, purgeSome } from "../../db/tracking/purge.ts";
import type { Duty } from "../core/lease.ts";

/** Removes what is left below deleted publishers, sites and placements. */
export const removeDeleted: Duty = async (env, reserve) => {
  const db = await connect(env.DATABASE_URL);
  let next = reserve(1) ? await firstRemoval(db) : null;
  while (next !== null && reserve(1)) next = await continueRemoval(db, next);
};

/** Removes rows that are older than they are kept, a chunk of each table in turn. */
export const purgeOldRows: Duty = async (env, reserve) => {
  const db = await connect(env.DATABASE_URL);
  for (let left = KEPT; left.length > 0;) {
    const more: typeof left = [];
    for (const kept of left) {
      if (!reserve(1)) return;
      if (await purgeSome(db, kept)) more.push(kept);
    }
    left = more;
  }
};
