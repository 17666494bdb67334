import { postgresError } from "../../db/core/errors.ts";

/**
 * What may be logged of a failure. A query's message holds its parameters, and Postgres' own can quote values, so of
 * those only code and constraint are shown.
 */
export const describeError = (thrown: unknown): string => {
  const failure = postgresError(thrown);
  if (failure) return `Postgres ${failure.code}${failure.constraint ? ` (${failure.constraint})` : ""}`;
  if (!(thrown instanceof Error)) return "a value was thrown that is no error";
  if (thrown.message.startsWith("Failed query")) return `query failed: ${describeError(thrown.cause)}`;
  return thrown.stack ?? `${thrown.name}: ${thrown.message}`;
};
