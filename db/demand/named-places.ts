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

/** Limits how many ids a refusal lists. */
const MAX_TOLD = 20;

/** Holds the new lists of publishers and sites; a list that is left out stays. */
export type PlaceLists = { [Field in keyof typeof LISTS]?: string[] | undefined };

/** Holds an id that a list may not gain, with the number of the lists that it was in. */
export type Stranger = { nr: number; field: string; id: string };

/**
 * Holds lists with a number of their own, and whose they are: those of an existing offer, or of an advertiser's new
 * one.
 */
export type WantedLists = { nr: number; lists: PlaceLists; of: { offerId: string } | { advertiserId: string } };

/**
 * Makes the query for the ids that lists may not gain. A list may gain publishers within the manager's reach where the
 * advertiser's offers may serve, and the sites of these; what an offer's list already has may stay.
 */
export const strangersIn = (manager: Manager, wanted: readonly WantedLists[]): SQL => {
  const named = wanted.flatMap(({ nr, lists, of }) =>
    FIELDS.flatMap((field) => (lists[field] ?? []).map((id, at) => Object.assign({ nr, field, id, at }, of))),
  );
  const kept = FIELDS.map((field) => sql`when ${field} then ${offers[field]}`);
  const mayBeNamed = sql`${withinReach(manager)}
    and (${advertisers.reach} = 'NETWORK' or ${publishers.platformId} = ${advertisers.platformId})`;
  return sql`
    select n.nr, n.field, n.id
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
        as n (nr integer, field text, id text, at integer, "offerId" text, "advertiserId" text)
      left join ${offers} on ${offers.id} = n."offerId"
      join ${advertisers} on ${advertisers.id} = coalesce(${offers.advertiserId}, n."advertiserId")
    where (${offers.id} is null or n.id <> all (case n.field ${sql.join(kept, sql` `)} end))
      and not case when n.field in ('includeSites', 'excludeSites')
        then exists (select from ${sites} join ${publishers} on ${publishers.id} = ${sites.publisherId}
          where ${sites.id} = n.id and ${mayBeNamed})
        else exists (select from ${publishers} where ${publishers.id} = n.id and ${mayBeNamed}) end
    order by n.nr, n.field, n.at`;
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
 * @throws {InvalidFieldError} when there are any, that covers all lists that have some
 */
export const refuseStrangers = (strangers: readonly Stranger[]): void => {
  if (strangers.length > 0) throw new InvalidFieldError(...FIELDS.flatMap((field) => problemsOf(field, strangers)));
};
