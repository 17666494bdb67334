/** Reports a problem that the person who started the program can solve. Only its message is shown, without a stack. */
export class Problem extends Error {
  override name = "Problem";
}

/**
 * Formats an error that ends the program: one line for a {@link Problem}, a refusal by Postgres, or a file that cannot
 * be used; the stack for a defect. Parameters of statements are never shown.
 */
export const explain = (error: unknown): string => {
  if (error instanceof Problem) return `lanyap: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (isFailedQuery(error) && cause instanceof Error) {
    return isPostgresError(cause) ? `lanyap: ${refusalOf(cause)}${statementOf(error)}` : explain(cause);
  }
  if (isPostgresError(error)) return `lanyap: ${refusalOf(error)}`;
  return isFileError(error) ? `lanyap: ${error.message}` : (error.stack ?? error.message);
};

type PostgresError = Error & { code: string; detail?: string };

// Drizzle wraps what a statement throws in a message that has its parameters.
const isFailedQuery = (error: Error): boolean => error.message.startsWith("Failed query");

const isPostgresError = (error: Error): error is PostgresError =>
  "severity" in error && "code" in error && typeof error.code === "string";

const isFileError = (error: Error): boolean =>
  "code" in error && "syscall" in error && ("path" in error || /^E(?:ISDIR|NOSPC|DQUOT)$/.test(String(error.code)));

/** Holds what to do about a refusal, by its code. */
const ADVICE = new Map([
  ["42501", "The role of DATABASE_URL must own the database, or have been granted what is missing."],
  [
    "55P03",
    "Something else has locked the table, such as a backup or a long report. Nothing was changed: run it again later.",
  ],
]);
const MAX_STATEMENT = 300;

const refusalOf = ({ message, code, detail }: PostgresError): string =>
  [`Postgres refuses: ${message} (${code}).`, ...(detail ? [detail.replace(/\.?$/, ".")] : []), ADVICE.get(code) ?? ""]
    .filter((part) => part !== "")
    .join(" ");

const statementOf = (error: Error): string =>
  "query" in error && typeof error.query === "string"
    ? ` The statement: ${error.query.trim().replaceAll(/\s+/g, " ").slice(0, MAX_STATEMENT)}`
    : "";
