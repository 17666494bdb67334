import { connect } from "../../db/core/client.ts";
import type { Db } from "../../db/core/client.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import { isDataError, isLocked } from "../../db/core/errors.ts";
import { findLocked } from "../../db/demand/caps/caps.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { recordRejects, type Reject } from "../../db/tracking/rejects.ts";
import type { Hit } from "../../db/tracking/hits.ts";
import { recordRequests, type RequestFlush } from "../../db/tracking/requests.ts";
import { publishDocuments } from "../documents/publish.ts";
import { namesOf, parseMessage, writeBody } from "./messages.ts";

/** Holds a delivered message. Its id is the same at every delivery. */
export type Delivery = { id: string; body: unknown };

type Item<T> = { delivery: Delivery; value: T };

const reject = (delivery: Delivery, reason: string): Reject => ({
  id: delivery.id,
  reason,
  body: writeBody(delivery.body),
  ...namesOf(delivery.body),
});

/**
 * Writes items together. If their values are refused, it writes them in halves, so that only the bad ones are rejected.
 */
const writeAll = async <T>(items: Item<T>[], write: (values: T[]) => Promise<void>): Promise<Reject[]> => {
  if (items.length === 0) return [];
  try {
    await write(items.map((item) => item.value));
    return [];
  } catch (error) {
    if (!isDataError(error)) throw error;
    const [only] = items;
    if (only && items.length === 1) return [reject(only.delivery, "the database refused its values")];
    const middle = Math.ceil(items.length / 2);
    return [...(await writeAll(items.slice(0, middle), write)), ...(await writeAll(items.slice(middle), write))];
  }
};

const sort = (deliveries: readonly Delivery[]) => {
  const hits: Item<Hit>[] = [];
  const flushes: Item<RequestFlush>[] = [];
  const rejects: Reject[] = [];
  for (const delivery of deliveries) {
    const parsed = parseMessage(delivery.body);
    if ("reason" in parsed) rejects.push(reject(delivery, parsed.reason));
    else if (parsed.message.type === "hit") hits.push({ delivery, value: parsed.message.hit });
    else flushes.push({ delivery, value: parsed.message.flush });
  }
  return { hits, flushes, rejects };
};

/**
 * Writes hits. If something, such as an import or a first cap, has locked the offers of some for long, the others do
 * not wait.
 *
 * @returns the rejected hits, and the ids of deliveries that were left for later
 */
const writeHits = async (db: Db, hits: Item<Hit>[], write: (values: Hit[]) => Promise<void>) => {
  try {
    return { refused: await writeAll(hits, write), held: [] };
  } catch (error) {
    if (!isLocked(error)) throw error;
    const locked = await findLocked(
      db,
      hits.map(({ value }) => value.offerId),
    );
    const { free = [], held = [] } = Object.groupBy(hits, (hit) => (locked.has(hit.value.offerId) ? "held" : "free"));
    return { refused: await writeAll(free, write), held: held.map(({ delivery }) => delivery.id) };
  }
};

/**
 * Limits how many rows of requests a statement counts. So many take at most two seconds, and the driver waits for ten.
 */
const MOST_ROWS = 10_000;

/** Splits flushes into those that one statement counts. */
const portions = (flushes: readonly Item<RequestFlush>[]): Item<RequestFlush>[][] => {
  const split: Item<RequestFlush>[][] = [];
  let rows = Infinity;
  for (const flush of flushes) {
    rows += flush.value.rows.length;
    if (rows > MOST_ROWS) {
      split.push([]);
      rows = flush.value.rows.length;
    }
    split.at(-1)?.push(flush);
  }
  return split;
};

/**
 * Holds the documents that storing deliveries outdated, the ids of rejected deliveries, and of those left for later.
 */
type Stored = { outdated: ReadonlySet<DocumentKey>; rejected: string[]; held: string[] };

const store = async (db: Db, deliveries: readonly Delivery[]): Promise<Stored> => {
  const { hits, flushes, rejects } = sort(deliveries);
  const outdated = new Set<DocumentKey>();
  const written = await writeHits(db, hits, async (values) => {
    for (const key of (await recordHits(db, values)).outdated) outdated.add(key);
  });
  const { refused } = written;
  for (const portion of portions(flushes)) {
    const more = await writeAll(portion, async (values) => {
      const late = await recordRequests(db, values);
      if (late > 0) console.error(`${late} flushes of requests came too late, and were not counted`);
    });
    refused.push(...more);
  }
  if (rejects.length + refused.length > 0) {
    await recordRejects(db, [...rejects, ...refused]);
    console.error(`${rejects.length + refused.length} event messages were rejected; tracking_rejects holds them`);
  }
  return { outdated, rejected: [...rejects, ...refused].map(({ id }) => id), held: written.held };
};

/**
 * Stores delivered messages and counts what is new in them. It is harmless to repeat. Messages that cannot be
 * understood go to the rejects and hold up nothing else.
 *
 * @returns the ids of deliveries that were rejected, and of those that have to be delivered again because somebody has
 *   locked their offers
 * @throws when the database cannot be reached; nothing is lost by delivering the same messages again
 */
export const ingest = async (env: Env, deliveries: readonly Delivery[]) => {
  const { outdated, rejected, held } = await store(connect(env.DATABASE_URL), deliveries);
  await publishDocuments(env, [...outdated]);
  return { rejected, held };
};
