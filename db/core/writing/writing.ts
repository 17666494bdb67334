import type { Client, Result, Statement } from "../neon/neon.ts";
import { judgedWrite, KeyKnownError } from "./writing-errors.ts";

/** Names who asks for a change, by which request, from which address and why, for the audit of the change. */
export type Caller = {
  kind: "publisher" | "platform" | "admin";
  id: string | null;
  requestId: string;
  ip: string | null;
  reason?: string | undefined;
};

/**
 * Holds an idempotency key: whose it is, its name, a hash of what was asked for under it, and whether the answer is
 * shown only once, and so is not kept.
 */
export type IdempotencyKey = { principal: string; name: string; fingerprint: string; isOnce: boolean };

/**
 * Says how a request writes: for whom; to which versions of its resource, by their tags, or to any if there are none;
 * whether it is a dry run, of which nothing stays; and under which idempotency key. Middleware adds to it until the
 * first statement. `answer` is the row that the key keeps, once the key turns out to be known.
 */
export type Writing = {
  readonly caller: Caller;
  tags?: readonly string[];
  isDry?: boolean;
  key?: IdempotencyKey;
  answer?: unknown;
};

/** Holds what a drizzle session calls: for a single statement, and for those of a batch, which the client has made. */
type Calls = {
  query: (...statement: Parameters<Client["query"]>) => Promise<unknown>;
  transaction: Client["transaction"];
};

const SAYING = "select set_config('lanyap.caller', $1, true), set_config('lanyap.if_match', $2, true)";

/** Names the point to which a dry run rolls back: all its statements run and answer, and none has a lasting effect. */
const BEGIN_DRY = "savepoint dry_run";
const END_DRY = "rollback to savepoint dry_run";

/**
 * Makes the statement that answers as another one does, and keeps its row under an idempotency key: as a list of values
 * or an object, depending on how rows are read. If it has no row, nothing was done, and the key is removed.
 */
const keeping = (client: Client, { query, params, arrayMode }: Statement, key: IdempotencyKey): Statement => {
  const own = `where principal = $${params.length + 1} and key = $${params.length + 2}`;
  const row = arrayMode
    ? "select json_agg(m.value order by m.nr) from answer a, json_each(row_to_json(a)) with ordinality m (name, value, nr)"
    : "select row_to_json(a) from answer a";
  return client.query(
    `with answer as (${query}), kept as (
      update idempotency_keys set answer = (${key.isOnce ? "null" : row}) ${own} and exists (select from answer)
    ), gone as (
      delete from idempotency_keys ${own} and not exists (select from answer)
    ) select * from answer`,
    [...params, key.principal, key.name],
    { arrayMode },
  );
};

const NOTHING: Result = { command: "", fields: [], rowCount: 0, rows: [] };

/** Makes the results of a change that was made before: the last statement's row is the one that was kept. */
const resultsBefore = (statements: readonly Statement[], answer: unknown): Result[] =>
  statements.map((_, i) => (i === statements.length - 1 ? { ...NOTHING, rows: [answer] } : NOTHING));

/**
 * Makes calls that each run as a transaction, which first says how it writes, where triggers can read it. A single
 * statement becomes such a transaction in the same round trip. So no change can leave out who made it, skip the check
 * of its version, or outlast a dry run.
 *
 * @returns the calls, and `change`, which also claims the request's idempotency key. Its last statement selects what is
 *   answered. If the key is known, nothing is done, and that statement has the row of the first time; the other calls
 *   throw {@link KeyKnownError}
 */
export const writingCalls = (client: Client, writing: Writing): Calls & { change: Client["transaction"] } => {
  const say = (claims: boolean): Statement => {
    const { caller, tags = [], key } = writing;
    const said = [JSON.stringify(caller), tags.join(" ")];
    if (!key) return client.query(SAYING, said);
    const asking = `${SAYING}, ${claims ? "claim_key" : "meet_key"}($3, $4, $5)`;
    return client.query(asking, [...said, key.principal, key.name, key.fingerprint]);
  };

  const run = async (statements: readonly Statement[], claims: boolean): Promise<Result[]> => {
    const all = writing.isDry ? [client.query(BEGIN_DRY), ...statements, client.query(END_DRY)] : statements;
    try {
      const results = (await client.transaction([say(claims), ...all])).slice(1);
      return writing.isDry ? results.slice(1, -1) : results;
    } catch (error) {
      const judged = judgedWrite(error);
      if (judged instanceof KeyKnownError) writing.answer = judged.answer;
      throw judged;
    }
  };

  const change: Client["transaction"] = async (statements) => {
    const last = statements.at(-1);
    const { key } = writing;
    if (!key || !last) return run(statements, false);
    try {
      if (writing.answer === undefined)
        return await run([...statements.slice(0, -1), keeping(client, last, key)], true);
    } catch (error) {
      if (!(error instanceof KeyKnownError)) throw error;
    }
    return resultsBefore(statements, writing.answer);
  };

  return {
    query: async (...statement) => (await run([client.query(...statement)], false))[0],
    transaction: (statements) => run(statements, false),
    change,
  };
};
