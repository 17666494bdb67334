import { connect } from "../../db/core/client.ts";
import { findLeftOver } from "../../db/tracking/conversions/pending.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { publishDocuments } from "../documents/publish.ts";
import type { Duty } from "../core/calls/lease.ts";

/**
 * Counts what a chunk takes: one statement for what waits, one for its clicks; to record it some for each day, and publishing
 * what reached a cap.
 */
const SUBREQUESTS = 12;

/**
 * Records conversions whose click is stored and that still wait for it: those of a report that ended before it could look
 * again.
 */
export const settleConversions: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  while (reserve(SUBREQUESTS)) {
    const conversions = await findLeftOver(db);
    if (conversions.length === 0) return;
    await publishDocuments(env, (await recordHits(db, conversions)).outdated);
  }
};
