import { postgresError } from "../../db/core/errors.ts";

/**
 * Describes a failure as far as it may be logged. The message of a failed query holds its parameters, and Postgres' own
 * messages can quote values, so only their code and constraint are shown. The queries of URLs are left out.
 */
export const describeError = (thrown: unknown): string => {
  const failure = postgresError(thrown);
  if (failure) return `Postgres ${failure.code}${failure.constraint ? ` (${failure.constraint})` : ""}`;
  if (!(thrown instanceof Error)) return "something other than an error was thrown";
  if (thrown.message.startsWith("Failed query")) return `query failed: ${describeError(thrown.cause)}`;
  return (thrown.stack ?? `${thrown.name}: ${thrown.message}`).replaceAll(/\?[^\s"']+/g, "?…");
};

/** Logs a failure that does not keep others' work from being done. */
export const noteFailure =
  (what: string) =>
  (thrown: unknown): void =>
    console.error(`${what} failed: ${describeError(thrown)}`);
