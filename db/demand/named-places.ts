import { sql, type SQL } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import { withinReach } from "../accounts/reach.ts";
import { InvalidFieldError, type FieldProblem } from "../core/errors.ts";
import { publishers } from "../schema/accounts.ts";
import { advertisers, offers } from "../schema/demand.ts";
import { sites } from "../schema/inventory.ts";

/** Lists the columns of an offer that name publishers or sites, and what each names. */
const LISTS = {
  includePublishers: publishers,
  excludePublishers: publishers,
  includeSites: sites,
  excludeSites: sites,
} as const;

const FIELDS = Object.keys(LISTS) as (keyof typeof LISTS)[];

/** Limits how many ids a refusal names. */
const MAX_TOLD = 20;

/** Holds lists of publishers and sites as they are to become; what is left out stays. */
export type PlaceLists = { [Field in keyof typeof LISTS]?: string[] | undefined };

/** Holds an id that a list may not gain. */
export type Stranger = { field: string; id: string };

/**
 * Makes the query for the ids that lists may not gain. A list may gain the publishers within the manager's reach where
 * the advertiser's offers may serve, and their sites; what an offer's list has may stay.
 *
 * @param of whose the lists are: an offer that exists, or a new one of an advertiser
 */
export const strangersIn = (
  lists: PlaceLists,
  manager: Manager,
  of: { offerId: string } | { advertiserId: string },
): SQL => {
  const named = FIELDS.flatMap((field) => (lists[field] ?? []).map((id) => ({ field, id })));
  const kept = FIELDS.map((field) => sql`when ${field} then ${offers[field]}`);
  const owner =
    "offerId" in of
      ? sql`${offers} join ${advertisers} on ${advertisers.id} = ${offers.advertiserId} where ${offers.id} = ${of.offerId}
          and n.id <> all (case n.field ${sql.join(kept, sql` `)} end)`
      : sql`${advertisers} where ${advertisers.id} = ${of.advertiserId}`;
  const mayBeNamed = sql`${withinReach(manager)}
    and (${advertisers.reach} = 'NETWORK' or ${publishers.platformId} = ${advertisers.platformId})`;
  return sql`
    select n.field, n.id
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n (field text, id text) cross join ${owner}
      and not case when n.field in ('includeSites', 'excludeSites')
        then exists (select from ${sites} join ${publishers} on ${publishers.id} = ${sites.publisherId}
          where ${sites.id} = n.id and ${mayBeNamed})
        else exists (select from ${publishers} where ${publishers.id} = n.id and ${mayBeNamed}) end`;
};

const problemsOf = (field: (typeof FIELDS)[number], strangers: readonly Stranger[]): FieldProblem[] => {
  const ids = strangers.filter((stranger) => stranger.field === field).map(({ id }) => id);
  if (ids.length === 0) return [];
  const told = ids.length > MAX_TOLD ? [...ids.slice(0, MAX_TOLD), `${ids.length - MAX_TOLD} more`] : ids;
  const kind = LISTS[field] === sites ? "sites" : "publishers";
  const may = `may only gain ${kind} that exist, are yours to name and can show this offer`;
  return [[`targeting.${field}`, `${may}; not ${told.join(", ")}`]];
};

/**
 * Refuses ids that lists may not gain.
 *
 * @throws {InvalidFieldError} when there are any, for all lists that have some
 */
export const refuseStrangers = (strangers: readonly Stranger[]): void => {
  if (strangers.length > 0) throw new InvalidFieldError(...FIELDS.flatMap((field) => problemsOf(field, strangers)));
};
