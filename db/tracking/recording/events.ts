import { judgeCaps, lockCaps, payableOffers, untilCapsHold } from "../../demand/caps/caps.ts";
import type { Db } from "../../core/client.ts";
import { DAY_MS } from "../../core/time.ts";
import type { EventOutcome } from "../../schema/values.ts";
import type { DocumentKey } from "../../documents/keys.ts";
import { outdatedBy, type Changed } from "../../documents/outdate.ts";
import { findSettled, takePending } from "../conversions/pending.ts";
import { unlinkForgotten } from "../sessions.ts";
import { countHits } from "./count-hits.ts";
import { isConversion, type Conversion, type Hit } from "../hits.ts";

type Hits = readonly (Hit | Conversion)[];

/** Splits hits by the UTC day on which they occurred, the earliest day first. */
const byDay = (hits: Hits): Hits[] => {
  const days = new Map<number, (Hit | Conversion)[]>();
  for (const hit of hits) {
    const day = Math.floor(hit.occurredAt / DAY_MS);
    const those = days.get(day);
    if (those) those.push(hit);
    else days.set(day, [hit]);
  }
  return [...days].sort(([a], [b]) => a - b).map(([, those]) => those);
};

type Pass = { outcomes: Map<string, EventOutcome>; left: Hits; outdated: DocumentKey[] };

const count = async (db: Db, hits: Hits) => {
  const payable = payableOffers(hits);
  const counting = [...lockCaps(db, payable), countHits(db, hits), judgeCaps(db, payable)] as const;
  const conversions = hits.filter(isConversion);
  if (conversions.length === 0) return db.batch(counting);
  const [, ...results] = await db.batch([takePending(db, conversions), ...counting]);
  return results;
};

const recordDay = async (db: Db, hits: Hits): Promise<Pass> => {
  const [, , , , , { rows }, noted] = await untilCapsHold(async () => count(db, hits));
  const done = new Set(rows.map(({ id }) => id));
  const outcomes = rows.flatMap(({ id, outcome }) => (outcome === null ? [] : [[id, outcome] as const]));
  return {
    outcomes: new Map(outcomes),
    left: hits.filter(({ id }) => !done.has(id)),
    outdated: outdatedBy(noted),
  };
};

const recordAll = async (db: Db, hits: Hits): Promise<Changed<Map<string, EventOutcome>>> => {
  const value = new Map<string, EventOutcome>();
  const outdated = new Set<DocumentKey>();
  for (const those of byDay(hits)) {
    // A hit that was judged while another consumer stored its twin was left out; now the twin is visible, and this one
    // is a repeat.
    for (let left = those, pass = 0; left.length > 0 && pass < 2; pass++) {
      const done = await recordDay(db, left);
      for (const [id, outcome] of done.outcomes) value.set(id, outcome);
      for (const key of done.outdated) outdated.add(key);
      ({ left } = done);
    }
  }
  return { value, outdated: [...outdated] };
};

/**
 * Stores hits, each once however often it is delivered, and adds what counts to the daily counters and the caps, each
 * UTC day's in a transaction of its own. Of several hits of one kind on one offer of a decision, one counts; of several
 * conversions, one for each transaction. A paid hit costs what the decision's revision of the offer says. A customer is
 * paid for once in 24 hours for each offer and kind, and never past a cap. Conversions that waited for one of these
 * clicks are recorded after it.
 *
 * @returns what became of each hit that was not stored before
 */
export const recordHits = async (db: Db, hits: Hits): Promise<Changed<ReadonlyMap<string, EventOutcome>>> => {
  const recorded = await recordAll(db, hits);
  const [settled] = await Promise.all([findSettled(db, hits), unlinkForgotten(db, hits)]);
  if (settled.length === 0) return recorded;
  const { outdated } = await recordAll(db, settled);
  await unlinkForgotten(db, settled);
  return { ...recorded, outdated: [...new Set([...recorded.outdated, ...outdated])] };
};
