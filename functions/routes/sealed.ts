import type { Db } from "../../db/core/client.ts";
import type { Opened, Resealed } from "../../db/core/secrets/sealed.ts";
import { describeError } from "../core/log.ts";

/** Holds an answer's value, and how its secrets were opened. */
type Found<Value> = { value: Value; opened: readonly Opened[] };

const noteFailure = (error: unknown): void => console.warn(`secrets keep their old key: ${describeError(error)}`);

/**
 * Returns an answer's value. Logs which secrets are lost, in one line. Behind the answer, it encrypts and stores again
 * those that a key other than the first encrypted, so that a key goes out of use as its secrets are read.
 *
 * @param reseal stores them in the table that they come from
 */
export const withSecrets = <Value>(
  c: { var: { db: Db }; executionCtx: Pick<ExecutionContext, "waitUntil"> },
  { value, opened }: Found<Value>,
  reseal: (db: Db, resealed: readonly Resealed[]) => Promise<void>,
): Value => {
  const lost = opened.filter(({ secret }) => secret === null).map(({ id }) => id);
  const cause = "TOKEN_ENCRYPTION_KEY lacks the key that encrypted them, or they were altered";
  if (lost.length > 0) console.error(`cannot read the secrets of ${lost.join(", ")}: ${cause}`);
  const resealed = opened.flatMap((secret) => secret.resealed ?? []);
  if (resealed.length > 0) {
    c.executionCtx.waitUntil(reseal(c.var.db, resealed).catch(noteFailure));
  }
  return value;
};
