import { isIsolationLevel, type Query, type Result, type TransactionOptions } from "./engine.ts";

/** Describes a parsed request of the `/sql` endpoint: one statement, or a batch to run as one transaction. */
export type SqlRequest = {
  queries: Query[];
  batch: boolean;
  options: TransactionOptions;
  /** Asks for rows as arrays; otherwise they are objects with a member for each column. */
  arrayMode: boolean;
};

type Headers = Record<string, string | string[] | undefined>;

/**
 * Parses a request. Its body is `{query, params}` or, for a batch, `{queries: […]}`, as Neon's driver sends them.
 *
 * @param headers with lower-case names
 * @throws {SyntaxError} with a message for the caller when headers or body are malformed
 */
export const readRequest = (headers: Headers, body: string): SqlRequest => {
  // No web page can send this header across origins, so it keeps out pages in the developer's browser.
  if (!headers["neon-connection-string"]) throw new SyntaxError("the header Neon-Connection-String is missing");
  if (headers["neon-raw-text-output"] !== "true") throw new SyntaxError("Neon-Raw-Text-Output must be true");
  const content: unknown = JSON.parse(body);
  if (!isRecord(content)) throw new SyntaxError("the body must be an object");
  const { queries } = content;
  if (queries !== undefined && !Array.isArray(queries)) throw new SyntaxError("queries must be an array");
  return {
    queries: (queries ?? [content]).map(readQuery),
    batch: queries !== undefined,
    options: readOptions(headers),
    arrayMode: headers["neon-array-mode"] === "true",
  };
};

/** Writes the result of one statement as Neon does. */
export const writeResult = ({ fields, rows, command, rowCount }: Result, arrayMode: boolean): object => {
  const named = (row: (string | null)[]) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i] ?? null]));
  return { command, fields, rowAsArray: arrayMode, rowCount, rows: arrayMode ? rows : rows.map(named) };
};

const errorFields = (
  "severity code detail hint position internalPosition internalQuery where " +
  "schema table column dataType constraint file line routine"
).split(" ");

// These codes are about the server, not the statement: log-in refused, no such database, no resources, shutdown, system
// error, and a server that only reads, such as a standby.
const serverTrouble = /^(28|3D|53|57P|58|25006)/;

/**
 * Writes the body of an SQL error: the message and every field that Postgres gave.
 *
 * @returns null for an error that is not about the statement, such as a lost or refused connection
 */
export const writeError = (error: unknown): object | null => {
  if (!(error instanceof Error) || !("severity" in error && "code" in error)) return null;
  if (serverTrouble.test(String(error.code))) return null;
  const given = new Map(Object.entries(error));
  return { message: error.message, ...Object.fromEntries(errorFields.map((field) => [field, given.get(field)])) };
};

const readQuery = (content: unknown): Query => {
  if (!isRecord(content) || typeof content["query"] !== "string") throw new SyntaxError("query must be a string");
  const { query, params = [] } = content;
  // In Postgres' protocol a NUL ends the text of a statement.
  if (query.includes("\0")) throw new SyntaxError("query must not contain NUL");
  if (!Array.isArray(params)) throw new SyntaxError("params must be an array");
  return { query, params: params.map(readParam) };
};

const readParam = (value: unknown): string | null => {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new SyntaxError("params must hold strings, numbers, booleans and nulls");
};

const readOptions = (headers: Headers): TransactionOptions => {
  const level = headers["neon-batch-isolation-level"];
  if (level !== undefined && (typeof level !== "string" || !isIsolationLevel(level))) {
    throw new SyntaxError("Neon-Batch-Isolation-Level names no isolation level");
  }
  const readOnly = headers["neon-batch-read-only"];
  const deferrable = headers["neon-batch-deferrable"];
  return {
    ...(level !== undefined && { isolationLevel: level }),
    ...(readOnly !== undefined && { readOnly: readOnly === "true" }),
    ...(deferrable !== undefined && { deferrable: deferrable === "true" }),
  };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
