import { connect } from "../../db/core/client.ts";
import { UnavailableError } from "../../db/core/errors.ts";
import { NO_CUSTOMER } from "../../db/tracking/hits.ts";
import { removeRejects } from "../../db/tracking/rejects.ts";
import { describeError } from "../core/log.ts";
import { isObject } from "../core/objects.ts";
import type { Duty } from "../core/calls/lease.ts";
import { within } from "../core/calls/within.ts";
import { DAY_SECONDS } from "../../db/core/time.ts";
import { settingsOf } from "../env.ts";
import { ingest } from "./ingest.ts";
import { namesOf, readBody, writeBody } from "./messages.ts";

/**
 * Limits the total text of the letters in a bundle, in characters: KV reads a chunk of bundles at once, up to 25 MB.
 */
const BUNDLE_LENGTH = 150_000;

/** Says how many bundles are read together. The queue's batches make them about a hundred letters each. */
const TOGETHER = 10;

/** Says how many bundles are replayed together: their letters are stored well within the time limit of a round trip. */
const CHUNK = 30;

/** Sets the least time to keep a bundle, in seconds: a minute more than the shortest time that KV allows. */
const LEAST_SECONDS = 120;

/** Counts the subrequests of a chunk: listing, reading, a few statements, and a removal for each bundle. */
const CHUNK_SUBREQUESTS = CHUNK + 16;

/** Holds a message that failed too often: its id, and its body as text. */
type Letter = { id: string; text: string };

/** Holds how many letters a bundle has, which listing bundles returns. */
type Metadata = { letters: number };

const isLetter = (value: unknown): value is Letter =>
  isObject(value) && "id" in value && typeof value["text"] === "string";

/** Reads the letters of a bundle. A value of any other form is the body of a single letter. */
const readBundle = (name: string, value: string): Letter[] => {
  const letters = readBody(value);
  return Array.isArray(letters) && letters.every(isLetter) ? letters : [{ id: name, text: value }];
};

/** Splits letters into bundles that are not too long. */
const bundlesOf = <L extends Letter>(letters: readonly L[]): L[][] => {
  const bundles: L[][] = [];
  let room = 0;
  for (const letter of letters) {
    if (letter.text.length > room || bundles.length === 0) {
      bundles.push([]);
      room = BUNDLE_LENGTH;
    }
    bundles.at(-1)?.push(letter);
    room -= letter.text.length;
  }
  return bundles;
};

/** Names a bundle by the time of its oldest letter, since KV lists names in order. No two have the same name. */
const nameAt = (time: number): string => `${String(time).padStart(15, "0")}:${crypto.randomUUID()}`;

/** Limits how long KV is waited for, in milliseconds. */
const KV_LIMIT_MS = 5_000;

/**
 * Waits for KV.
 *
 * @throws {UnavailableError} where it fails or does not answer in time
 */
const fromKv = async <T>(asked: Promise<T>): Promise<T> => {
  const answered = asked.then(
    (value) => ({ value }),
    (error: unknown) => {
      throw new UnavailableError(`dead letters cannot be read from KV: ${describeError(error)}`);
    },
  );
  const answer = await within(answered, KV_LIMIT_MS);
  if (!answer) throw new UnavailableError(`KV did not answer within ${KV_LIMIT_MS / 1_000} seconds`);
  return answer.value;
};

/** Keeps a bundle as long as rejects are kept, counted from the time in its name, or from now if its name has none. */
const put = async (env: Env, name: string, letters: readonly Letter[]): Promise<void> => {
  const now = Date.now() / 1_000;
  const begun = /^\d{15}:/.test(name) ? Number.parseInt(name, 10) / 1_000 : now;
  const expiration = Math.ceil(Math.max(begun + settingsOf(env).KEEP_REJECTS_DAYS * DAY_SECONDS, now + LEAST_SECONDS));
  const metadata: Metadata = { letters: letters.length };
  await fromKv(env.DEAD_LETTERS.put(name, JSON.stringify(letters), { expiration, metadata }));
};

/**
 * Counts the dead letters that wait to be replayed, among the oldest thousand bundles, with one call. A bundle without
 * metadata counts as one letter.
 */
export const countDeadLetters = async (env: Env): Promise<number> => {
  const { keys } = await env.DEAD_LETTERS.list<Metadata>();
  return keys.reduce((count, { metadata }) => count + (metadata?.letters ?? 1), 0);
};

/** Consumes the dead-letter queue: keeps messages until the cron has replayed them. */
export const keepDeadLetters = async (batch: MessageBatch, env: Env): Promise<void> => {
  const letters = batch.messages
    .map(({ id, body, timestamp }) => ({ id, text: writeBody(body), time: timestamp.getTime() }))
    .toSorted((a, b) => a.time - b.time);
  for (const bundle of bundlesOf(letters)) {
    const kept: Letter[] = bundle.map(({ id, text }) => ({ id, text }));
    await put(env, nameAt(bundle[0]?.time ?? 0), kept);
  }
  batch.ackAll();
};

/** Keeps messages as dead letters, so that the next run of the cron stores them as if they had just arrived. */
export const keepLetters = async (env: Env, letters: readonly Letter[]): Promise<void> => {
  for (const bundle of bundlesOf(letters)) await put(env, nameAt(Date.now()), bundle);
};

/** Reads bundles by their names; those that cannot be read yet are left out. */
const readBundles = async (env: Env, names: string[]): Promise<{ name: string; letters: Letter[] }[]> => {
  if (names.length === 0) return [];
  const values = await fromKv(env.DEAD_LETTERS.get(names, { type: "text" }));
  return [...values].flatMap(([name, value]) => (value === null ? [] : [{ name, letters: readBundle(name, value) }]));
};

/**
 * Stores dead letters as if they had just arrived, the oldest first. What fails, or cannot be read yet, stays for the
 * next run. So does a whole chunk if one of its letters is about an offer that somebody has locked.
 */
export const replayDeadLetters: Duty = async (env, reserve) => {
  for (let cursor: string | null = null, done = false; !done && reserve(CHUNK_SUBREQUESTS);) {
    const page: KVNamespaceListResult<unknown> = await fromKv(env.DEAD_LETTERS.list({ limit: CHUNK, cursor }));
    const bundles = await readBundles(
      env,
      page.keys.map((key) => key.name),
    );
    const letters = bundles.flatMap((bundle) => bundle.letters);
    const { rejected, held } = await ingest(
      env,
      letters.map(({ id, text }) => ({ id, body: readBody(text) })),
    );
    const left = new Set([...rejected, ...held]);
    const understood = letters.filter(({ id }) => !left.has(id)).map(({ id }) => id);
    if (understood.length > 0) await removeRejects(connect(env.DATABASE_URL), understood);
    if (held.length === 0) await fromKv(Promise.all(bundles.map(({ name }) => env.DEAD_LETTERS.delete(name))));
    done = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
};

/** Returns a letter's text without its customer: a customer erased by one hash must not come back by another. */
const withoutCustomer = (text: string): string =>
  JSON.stringify(readBody(text), (name, value: unknown) => (Object.hasOwn(NO_CUSTOMER, name) ? null : value));

/** Describes a dead letter: what it names, and its text without its customer. */
export type ListedLetter = { id: string; placementId: string | null; body: string };

/** Reads the oldest dead letters, at most about a thousand. */
export const oldestLetters = async (env: Env): Promise<ListedLetter[]> => {
  const { keys } = await fromKv(env.DEAD_LETTERS.list({ limit: TOGETHER }));
  const bundles = await readBundles(
    env,
    keys.map(({ name }) => name),
  );
  return bundles.flatMap(({ letters }) =>
    letters.map(({ id, text }) => ({
      id,
      placementId: namesOf(readBody(text)).placementId,
      body: withoutCustomer(text),
    })),
  );
};

/**
 * Removes a customer's hashes from the dead letters, so that a replay cannot bring them back.
 *
 * @param mayErase finds the placements whose letters may be changed; letters that name no placement may be, too
 * @returns how many letters held one
 */
export const forgetInDeadLetters = async (
  env: Env,
  hashes: readonly string[],
  mayErase: (placementIds: string[]) => Promise<ReadonlySet<string>>,
): Promise<number> => {
  let forgotten = 0;
  for (let cursor: string | null = null, done = false; !done;) {
    const page: KVNamespaceListResult<unknown> = await fromKv(env.DEAD_LETTERS.list({ limit: TOGETHER, cursor }));
    const names = page.keys.map((key) => key.name);
    for (const { name, letters } of await readBundles(env, names)) {
      const placements = new Map<Letter, string | null>();
      for (const letter of letters) {
        if (hashes.some((hash) => letter.text.includes(hash)))
          placements.set(letter, namesOf(readBody(letter.text)).placementId);
      }
      if (placements.size === 0) continue;
      const erasable = await mayErase([...placements.values()].filter((id) => id !== null));
      const isHeld = (letter: Letter): boolean => {
        const placementId = placements.get(letter);
        return placementId === null || (placementId !== undefined && erasable.has(placementId));
      };
      const held = letters.filter(isHeld).length;
      if (held === 0) continue;
      const without = letters.map((letter) =>
        isHeld(letter)
          ? {
              id: letter.id,
              text: hashes.reduce((text, hash) => text.replaceAll(hash, ""), withoutCustomer(letter.text)),
            }
          : letter,
      );
      await put(env, name, without);
      forgotten += held;
    }
    done = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
  return forgotten;
};
