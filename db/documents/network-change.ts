import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { buildStatement, builtDocuments } from "./build.ts";
import { documentKey, documentKeySql } from "./keys.ts";
import { outdate, outdatedBy, type Changed } from "./outdate.ts";

/**
 * Makes the statements that end the batch of a change of offers: the first notes the network's document, the second
 * builds it from the new state, so that the isolate that made the change needs no look-up for its next answer.
 *
 * @param happened whether anything changed, as a condition that the batch can judge at that point
 */
export const networkStatements = (db: Db, happened: SQL = sql`true`) =>
  [
    outdate(db, sql`select ${documentKeySql.network} where ${happened}`),
    buildStatement(db, [documentKey.network]),
  ] as const;

type Noted = Parameters<typeof outdatedBy>[0];
type Built = Parameters<typeof builtDocuments>[0];

/** Combines a change's result with what {@link networkStatements} answered. */
export const changedNetwork = <Value>(value: Value, noted: Noted, built: Built): Changed<Value> => ({
  value,
  outdated: outdatedBy(noted),
  built: builtDocuments(built),
});
