/** Describes one statement. Its parameters are in Postgres' text form, with `null` for SQL null. */
export type Query = {
  query: string;
  params: (string | null)[];
};

/** Describes a column of a result. `dataTypeID` is the oid of its type. */
export type Field = {
  name: string;
  dataTypeID: number;
};

/** Holds the result of one statement, every value in Postgres' text form. */
export type Result = {
  fields: Field[];
  rows: (string | null)[][];
  command: string;
  rowCount: number | null;
};

export type IsolationLevel = "ReadUncommitted" | "ReadCommitted" | "RepeatableRead" | "Serializable";

/** Describes a transaction's modes. Where one is absent, the server's default applies. */
export type TransactionOptions = {
  isolationLevel?: IsolationLevel;
  readOnly?: boolean;
  deferrable?: boolean;
};

/**
 * Runs statements on a Postgres for the `/sql` endpoint. A failed statement throws the driver's own error, which has
 * Postgres' error fields. Any other error means that the database cannot be reached.
 */
export type Engine = {
  /** Runs one statement by itself. */
  run(query: Query): Promise<Result>;
  /** Runs all statements in one transaction, which rolls back whole on the first error. */
  transaction(queries: Query[], options?: TransactionOptions): Promise<Result[]>;
  /** Applies those drizzle migrations of a folder that this database lacks. */
  migrate(folder: string): Promise<void>;
  close(): Promise<void>;
};

const levels: Record<IsolationLevel, string> = {
  ReadUncommitted: "ISOLATION LEVEL READ UNCOMMITTED",
  ReadCommitted: "ISOLATION LEVEL READ COMMITTED",
  RepeatableRead: "ISOLATION LEVEL REPEATABLE READ",
  Serializable: "ISOLATION LEVEL SERIALIZABLE",
};

/** Tells whether a text names an isolation level as Neon's headers do. */
export const isIsolationLevel = (text: string): text is IsolationLevel => Object.hasOwn(levels, text);

/** Writes options as the SQL that follows `BEGIN` or `SET TRANSACTION`. The text is empty without options. */
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
