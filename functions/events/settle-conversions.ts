import { connect } from "../../db/core/client.ts";
import { findLeftOver } from "../../db/tracking/conversions/pending.ts";
import type { Transaction } from "../../db/tracking/conversions/find.ts";
import { recordHits } from "../../db/tracking/events.ts";
import { publishDocuments } from "../documents/publish.ts";
import type { Duty } from "../core/lease.ts";

/**
 * Records conversions whose click is stored and that still wait for it: those of a report that ended before it could look
 * again.
 */
export const settleConversions: Duty = async (env, hasTime) => {
  const db = await connect(env.DATABASE_URL);
  let after: Transaction | null = null;
  do {
    const { conversions, last }: Awaited<ReturnType<typeof findLeftOver>> = await findLeftOver(db, after);
    await publishDocuments(env, (await recordHits(db, conversions)).outdated);
    after = last;
  } while (after !== null && hasTime());
};
