import { sql } from "drizzle-orm";
import { judgeCaps, lockCaps, payableOffers, shareCaps } from "../demand/caps.ts";
import type { Db } from "../core/client.ts";
import type { EventOutcome } from "../schema/values.ts";
import { countHits } from "./count-hits.ts";
import type { Conversion, Hit } from "./hits.ts";

const DAY_MS = 86_400_000;

/** Tells what storing hits led to: how many count, what became of each new one, and whether an offer reached a cap. */
export type Recorded = { counted: number; outcomes: ReadonlyMap<string, EventOutcome>; capped: boolean };

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

type Pass = { outcomes: Map<string, EventOutcome>; left: Hits; capped: boolean };

const recordDay = async (db: Db, hits: Hits): Promise<Pass> => {
  const payable = payableOffers(hits);
  const [, , { rows }, judged] = await db.batch([
    shareCaps(db),
    lockCaps(db, payable),
    countHits(db, hits),
    judgeCaps(db, payable),
  ]);
  const done = new Set(rows.map(({ id }) => id));
  const outcomes = rows.flatMap(({ id, outcome }) => (outcome === null ? [] : [[id, outcome] as const]));
  return {
    outcomes: new Map(outcomes),
    left: hits.filter(({ id }) => !done.has(id)),
    capped: judged.rows.length > 0,
  };
};

/**
 * Stores hits, each once however often it is delivered, and adds what counts to the daily counters and the caps, each
 * UTC day's in a transaction of its own. Of several hits of one kind on one offer of a decision, one counts; of several
 * conversions, one a transaction. What is paid for costs what the decision's revision of the offer says. A customer is
 * paid for once in 24 hours by offer and kind, and never past a cap.
 */
export const recordHits = async (db: Db, hits: Hits): Promise<Recorded> => {
  const outcomes = new Map<string, EventOutcome>();
  let capped = false;
  for (const those of byDay(hits)) {
    // A hit judged while another consumer stored its twin was left; now that one is visible and this one a repeat.
    for (let left = those, pass = 0; left.length > 0 && pass < 2; pass++) {
      const done = await recordDay(db, left);
      for (const [id, outcome] of done.outcomes) outcomes.set(id, outcome);
      capped ||= done.capped;
      ({ left } = done);
    }
  }
  const counted = [...outcomes.values()].filter((outcome) => outcome === "counted").length;
  return { counted, outcomes, capped };
};

/** Keeps messages that could not be understood, whole; a repeated id is kept once. */
export const recordRejects = async (
  db: Db,
  rejects: readonly { id: string; reason: string; body: string }[],
): Promise<void> => {
  await db.execute(sql`
    insert into tracking_rejects (id, reason, body)
    select r.id, r.reason, r.body from jsonb_to_recordset(${JSON.stringify(rejects)}::jsonb) as r (id text, reason text, body text)
    on conflict do nothing`);
};
