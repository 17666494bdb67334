import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { subjectOf, type DocumentKey } from "./keys.ts";
import { millis } from "./sql.ts";

/** Tells which of some documents describe something that exists, and as of when, in milliseconds since 1970. */
export type Named = { builtAt: number; names: ReadonlySet<DocumentKey> };

/** Finds which of some public keys and placements, named by the keys of their documents, exist. */
export const findNames = async (db: Db, asked: readonly DocumentKey[]): Promise<Named> => {
  const subjects = asked.map(subjectOf);
  const keys = subjects.flatMap((subject) => (subject.kind === "key" ? [subject.publicKey] : []));
  const ids = subjects.flatMap((subject) => (subject.kind === "placement" ? [subject.placementId] : []));
  const { rows } = await db.execute<{ names: DocumentKey[]; built_at: string }>(sql`
    select ${millis(sql`statement_timestamp()`)} as built_at, (
      select coalesce(jsonb_agg(n.name), '[]') from (
        select 'key:' || k.key as name from public_keys k
        where k.key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))
        union all
        select 'placement:' || p.id from placements p
        where p.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))) n) as names`);
  return { builtAt: Number(rows[0]?.built_at), names: new Set(rows[0]?.names) };
};
