import { sql, type SQL } from "drizzle-orm";
import type { Actor } from "./actor.ts";
import type { DocumentKey } from "../documents/keys.ts";

/** What one switch is set to. */
export type Switch<Status extends string> = { status: Status } | { adsEnabled: boolean };

/** Who asks for a change, from which address and why. */
export type Request = { actor: Actor; callerIpAddress: string | null; reason: string | undefined };

/** The contract's answer to a lifecycle change, and the documents that it outdates. */
export type Switched<Status extends string> = {
  subject: { id: string; name: string; status: Status; adsEnabled: boolean };
  documents: DocumentKey[];
};

export type SwitchedRow<Status extends string> = {
  reachable: boolean;
  id: string | null;
  name: string;
  status: Status;
  ads_enabled: boolean;
  documents: DocumentKey[];
};

export const assignment = (change: Switch<string>): SQL =>
  "status" in change ? sql`status = ${change.status}` : sql`ads_enabled = ${change.adsEnabled}`;

export const state = (row: string): SQL =>
  sql.raw(`jsonb_build_object('status', ${row}.status, 'adsEnabled', ${row}.ads_enabled)`);

/** When a change happens: later than the one before it, so that the records sort in the order of the changes. */
export const MOMENT = sql`greatest(clock_timestamp(), target.updated_at + interval '1 millisecond')`;

export const switched = <Status extends string>(row: SwitchedRow<Status> & { id: string }): Switched<Status> => ({
  subject: { id: row.id, name: row.name, status: row.status, adsEnabled: row.ads_enabled },
  documents: row.documents,
});
