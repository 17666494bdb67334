import { UnavailableError } from "../errors.ts";
import { isLoopback } from "../loopback.ts";
import { parameterText, type Parameter } from "./parameter.ts";
import { parserOf } from "./parsers.ts";

/** Holds what Postgres says about a statement that it refused: `code`, `constraint`, `detail` and so on. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  declare readonly code: string;
  declare readonly detail: string | undefined;

  constructor({ message, ...fields }: { message: string }) {
    super(message);
    Object.assign(this, fields);
  }
}

/** Holds a statement's result. Its rows are lists of values in array mode, else objects by the names of the columns. */
export type Result = {
  command: string;
  fields: { name: string; dataTypeID: number }[];
  rowCount: number | null;
  rows: unknown[];
};

/** Describes a statement that runs when it is awaited, or as part of the transaction that it is put into. */
export type Statement = PromiseLike<Result> & {
  readonly query: string;
  readonly params: readonly (string | null)[];
  readonly arrayMode: boolean;
};

/** Describes what a drizzle session calls. */
export type Client = {
  query: (text: string, parameters?: readonly Parameter[], options?: { arrayMode?: boolean }) => Statement;
  /** Runs statements in order as one transaction, in one round trip. */
  transaction: (statements: readonly Statement[]) => Promise<Result[]>;
};

/** Holds a result as it arrives: all values are texts, and all rows are lists. */
type Answer = Omit<Result, "rows"> & { rows: (string | null)[][] };

const SQL_HEADERS = { "Neon-Raw-Text-Output": "true", "Neon-Array-Mode": "true" };

/**
 * Returns the address where a database takes statements over HTTP: Neon in the host's region, or the local endpoint.
 */
const endpointOf = ({ hostname, port }: URL): string =>
  isLoopback(hostname) ? `http://${hostname}:${port}/sql` : `https://${hostname.replace(/^[^.]+\./, "api.")}/sql`;

/** Turns an answer into a result. Each row is converted in place, so that a large answer has no second copy. */
const readResult = ({ command, fields, rowCount, rows }: Answer, arrayMode: boolean): Result => {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  const parse = (text: string | null, i: number) => (text === null ? null : parsers[i]?.(text));
  const named = (row: (string | null)[]) =>
    Object.fromEntries(fields.map(({ name }, i) => [name, parse(row[i] ?? null, i)]));
  const parsed: unknown[] = rows;
  for (const [r, row] of rows.entries()) parsed[r] = arrayMode ? row.map(parse) : named(row);
  return { command, fields, rowCount, rows: parsed };
};

/** Returns Postgres' refusal, or null when it was not Postgres that refused. */
const refusalOf = (body: { message: string; code?: unknown }): StatementError | null =>
  typeof body.code === "string" ? new StatementError(body) : null;

/**
 * Makes a client of a Neon database, or of the local endpoint, which speaks Neon's protocol over plain HTTP. It
 * replaces `neon()` of `@neondatabase/serverless`, of which this service needs a twentieth.
 *
 * @param url connection string
 * @param timeLimit milliseconds after which a round trip is aborted
 * @returns a client whose calls reject with {@link StatementError} when Postgres refuses a statement, and with {@link
 *   UnavailableError} when there is no answer in time, or none that makes sense
 * @throws {TypeError} when the string is not a URL
 */
export const neon = (url: string, timeLimit: number): Client => {
  const address = new URL(url);
  const endpoint = endpointOf(address);
  const headers = { ...SQL_HEADERS, "Neon-Connection-String": address.href };

  const ask = async <T>(body: object, read: (answer: unknown) => T): Promise<T> => {
    let refusal: StatementError | null;
    try {
      const signal = AbortSignal.timeout(timeLimit);
      const response = await fetch(endpoint, { method: "POST", headers, body: JSON.stringify(body), signal });
      // Reads the whole answer here, so that one that is cut off or garbled fails like one that never came.
      if (response.ok) return read(await response.json());
      const text = await response.text();
      refusal = response.status === 400 ? refusalOf(JSON.parse(text)) : null;
      if (!refusal) throw new Error(`HTTP status ${response.status}: ${text}`);
    } catch (error) {
      throw new UnavailableError(`the database gave no answer: ${String(error)}`, { cause: error });
    }
    throw refusal;
  };

  const run = async ({ query, params, arrayMode }: Statement): Promise<Result> =>
    ask({ query, params }, (answer) => readResult(answer as Answer, arrayMode));

  return {
    query: (text, parameters = [], { arrayMode = false } = {}) => {
      const statement: Statement = {
        query: text,
        params: parameters.map(parameterText),
        arrayMode,
        // oxlint-disable-next-line unicorn/no-thenable -- drizzle awaits a statement, or puts it into a batch instead.
        then: (fulfilled, rejected) => run(statement).then(fulfilled, rejected),
      };
      return statement;
    },
    transaction: async (statements) => {
      const queries = statements.map(({ query, params }) => ({ query, params }));
      return ask({ queries }, (answer) =>
        (answer as { results: Answer[] }).results.map((result, i) =>
          readResult(result, statements[i]?.arrayMode ?? false),
        ),
      );
    },
  };
};
