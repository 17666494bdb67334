import { continueRemoval, firstRemoval } from "../../db/accounts/publishers/removal.ts";
import { connect } from "../../db/core/client.ts";
import { keptRows, purgeSome, type Retention } from "../../db/tracking/purge.ts";
import type { Duty } from "../core/calls/lease.ts";
import { noteFailure } from "../core/log.ts";
import { settingsOf } from "../env.ts";

/** Removes what is left below deleted publishers, sites and placements. */
export const removeDeleted: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  let next = reserve(1) ? await firstRemoval(db) : null;
  while (next !== null && reserve(1)) next = await continueRemoval(db, next);
};

/** Returns how many days rows of each kind are kept, by the settings. */
export const retentionOf = (env: Env): Retention => {
  const settings = settingsOf(env);
  return {
    impressions: settings.KEEP_IMPRESSIONS_DAYS,
    clicks: settings.KEEP_CLICKS_DAYS,
    conversions: settings.KEEP_CONVERSIONS_DAYS,
    rejects: settings.KEEP_REJECTS_DAYS,
    flushes: settings.KEEP_FLUSHES_DAYS,
    audit: settings.KEEP_AUDIT_DAYS,
  };
};

/**
 * Removes rows that are past the days they are kept, a chunk of each table at a time. If that fails, a chunk of each is
 * removed by itself, so that one table does not keep the others from it.
 */
export const purgeOldRows: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  const kept = keptRows(retentionOf(env));
  try {
    for (let left = kept; left.length > 0 && reserve(1);) left = await purgeSome(db, left);
  } catch (failure) {
    noteFailure("purging all tables together")(failure);
    // They begin anywhere, since a slow one may use up the run.
    const first = Math.floor(Math.random() * kept.length);
    for (const rows of [...kept.slice(first), ...kept.slice(0, first)])
      if (reserve(1)) await purgeSome(db, [rows]).catch(noteFailure(`purging ${rows.table}`));
  }
};
