import { StaleError } from "./errors.ts";
import { StatementError, type Client } from "./neon.ts";

/** Names who asks for a change, by which request and from which address, for the audit of what the change does. */
export type Caller = {
  kind: "publisher" | "platform" | "admin";
  id: string | null;
  requestId: string;
  ip: string | null;
};

/**
 * Says how a request writes: for whom; for which versions of its resource, by their tags, and for any where there are none;
 * and whether it is a dry run, of which nothing stays. Middleware adds to it until the first statement.
 */
export type Writing = { readonly caller: Caller; tags?: readonly string[]; isDry?: boolean };

/** Holds what a session of drizzle calls: for a statement alone, and for those of a batch, which the client has made. */
type Calls = {
  query: (...statement: Parameters<Client["query"]>) => Promise<unknown>;
  transaction: Client["transaction"];
};

/** Names the failure by which the database ends a transaction whose resource has another tag than those wanted. */
const STALE = "LY412";

/** Names the point to which a dry run goes back: all its statements have run and answered, and none of them stays. */
const BEGIN_DRY = "savepoint dry_run";
const END_DRY = "rollback to savepoint dry_run";

const refusalOf = (thrown: unknown): unknown =>
  thrown instanceof StatementError && thrown.code === STALE ? new StaleError(thrown.detail ?? "") : thrown;

/**
 * Makes calls of which each is a transaction that says first how it writes, where triggers find it. A lone statement becomes
 * one in the same round trip. So no change can forget to say who made it, pass over a version, or stay of a dry run.
 */
export const writingCalls = (client: Client, writing: Writing): Calls => {
  const transaction: Client["transaction"] = async (statements) => {
    const said = client.query("select set_config('lanyap.caller', $1, true), set_config('lanyap.if_match', $2, true)", [
      JSON.stringify(writing.caller),
      (writing.tags ?? []).join(" "),
    ]);
    const run = writing.isDry ? [client.query(BEGIN_DRY), ...statements, client.query(END_DRY)] : statements;
    try {
      const results = (await client.transaction([said, ...run])).slice(1);
      return writing.isDry ? results.slice(1, -1) : results;
    } catch (error) {
      throw refusalOf(error);
    }
  };
  return {
    query: async (...statement) => (await transaction([client.query(...statement)]))[0],
    transaction,
  };
};
