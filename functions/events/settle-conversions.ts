import { connect } from "../../db/core/client.ts";
import { findLeftOver } from "../../db/tracking/conversions/pending.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { publishDocuments } from "../documents/publish.ts";
import type { Duty } from "../core/calls/lease.ts";

/**
 * Counts the subrequests of a chunk: a statement for waiting conversions, one for their clicks, some for each day to
 * record them, and publishing what reached a cap.
 */
const SUBREQUESTS = 12;

/** Records conversions that still wait though their click is stored: their report ended before its second look. */
export const settleConversions: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  while (reserve(SUBREQUESTS)) {
    const conversions = await findLeftOver(db);
    if (conversions.length === 0) return;
    await publishDocuments(env, (await recordHits(db, conversions)).outdated);
  }
};
