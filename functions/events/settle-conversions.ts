import { connect } from "../../db/core/client.ts";
import { findLeftOver } from "../../db/tracking/conversions/pending.ts";
import type { Transaction } from "../../db/tracking/conversions/find.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { publishDocuments } from "../documents/publish.ts";
import type { Duty } from "../core/lease.ts";

/** Counts what looking through a chunk takes: one statement for what waits, one for its clicks. */
const LOOKING_SUBREQUESTS = 2;

/** Counts what recording a chunk takes: some statements for each day, and publishing what reached a cap. */
const RECORDING_SUBREQUESTS = 10;

/**
 * Records conversions whose click is stored and that still wait for it: those of a report that ended before it could look
 * again.
 */
export const settleConversions: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  for (let after: Transaction | null = null, done = false; !done && reserve(LOOKING_SUBREQUESTS);) {
    const { conversions, last }: Awaited<ReturnType<typeof findLeftOver>> = await findLeftOver(db, after);
    if (conversions.length > 0) {
      if (!reserve(RECORDING_SUBREQUESTS)) return;
      await publishDocuments(env, (await recordHits(db, conversions)).outdated);
    }
    after = last;
    done = last === null;
  }
};
