import { getTableColumns } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { apiTokens, platforms, platformTokens, publicKeys, publishers } from "../schema/accounts.ts";
import type { Members } from "../schema/audit.ts";
import { offerCreatives } from "../schema/creatives.ts";
import { advertisers, offers } from "../schema/demand.ts";
import { placements, sites } from "../schema/inventory.ts";
import type { AUDITED_KINDS } from "../schema/values.ts";

type Kind = (typeof AUDITED_KINDS)[number];

const TABLES: Record<Kind, PgTable> = {
  platform: platforms,
  platformToken: platformTokens,
  publisher: publishers,
  token: apiTokens,
  publicKey: publicKeys,
  site: sites,
  placement: placements,
  advertiser: advertisers,
  offer: offers,
  creative: offerCreatives,
};

/** Tells whether a member of a kind of resource is a time, by the column of its name. */
const isTime = (kind: Kind, member: string): boolean => getTableColumns(TABLES[kind])[member]?.dataType === "date";

const rewritten = (value: unknown): unknown => {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString();
};

/** Returns members of a record with their times as answers show them: triggers write times in Postgres' own form. */
export const withTimes = (kind: Kind, members: Members | null): Members | null =>
  members &&
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, isTime(kind, name) ? rewritten(value) : value]),
  );
