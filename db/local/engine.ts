/** One statement with its parameters as Postgres text, `null` for SQL null. */
export type Query = {
  query: string;
  params: (string | null)[];
};

/** A column of an answer; `dataTypeID` is the type's oid. */
export type Field = {
  name: string;
  dataTypeID: number;
};

/** What one statement answered: every value as Postgres text. */
export type Result = {
  fields: Field[];
  rows: (string | null)[][];
  command: string;
  rowCount: number | null;
};

export type IsolationLevel = "ReadUncommitted" | "ReadCommitted" | "RepeatableRead" | "Serializable";

/** What a transaction may ask for; absent means the server's default. */
export type TransactionOptions = {
  isolationLevel?: IsolationLevel;
  readOnly?: boolean;
  deferrable?: boolean;
};

/**
 * A Postgres that runs statements as the `/sql` endpoint needs them. SQL errors are thrown as the
 * driver's own, with the Postgres error fields on them; anything else thrown means it is unreachable.
 */
export type Engine = {
  /** Runs one statement by itself. */
  run(query: Query): Promise<Result>;
  /** Runs all statements in one transaction, which rolls back whole on the first error. */
  transaction(queries: Query[], options?: TransactionOptions): Promise<Result[]>;
  /** Applies the drizzle migrations of a folder that are not applied yet. */
  migrate(folder: string): Promise<void>;
  close(): Promise<void>;
};

const levels: Record<IsolationLevel, string> = {
  ReadUncommitted: "ISOLATION LEVEL READ UNCOMMITTED",
  ReadCommitted: "ISOLATION LEVEL READ COMMITTED",
  RepeatableRead: "ISOLATION LEVEL REPEATABLE READ",
  Serializable: "ISOLATION LEVEL SERIALIZABLE",
};

/** Whether a text names an isolation level the way Neon's headers do. */
export const isIsolationLevel = (text: string): text is IsolationLevel => {
  return Object.hasOwn(levels, text);
};

/** The options as SQL, to follow `BEGIN` or `SET TRANSACTION`; empty when nothing was asked for. */
export const transactionMode = (options: TransactionOptions = {}): string => {
  const { isolationLevel, readOnly, deferrable } = options;
  return [
    isolationLevel && levels[isolationLevel],
    readOnly !== undefined && (readOnly ? "READ ONLY" : "READ WRITE"),
    deferrable !== undefined && (deferrable ? "DEFERRABLE" : "NOT DEFERRABLE"),
  ]
    .filter((mode) => mode)
    .join(" ");
};
