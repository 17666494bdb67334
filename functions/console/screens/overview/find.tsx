import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { addressOf } from "../../core/filters.ts";
import { count } from "../../core/format.ts";
import { Badge, Bones } from "../../parts/bits.tsx";
import { Search } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

type Row = { id: string; name: string } & Partial<Record<"title" | "siteName" | "publisherName", string>>;

/** Says where something is looked for, who may look there, and which pages show what was found. */
const PLACES = [
  { what: "Publisher", list: "listPublisherDirectory", page: "publishers", isOfManagers: true },
  { what: "Site", list: "listSiteDirectory", page: "sites", isOfManagers: false },
  { what: "Placement", list: "listPlacementDirectory", page: "placements", isOfManagers: false },
  { what: "Advertiser", list: "listAdvertisers", page: "advertisers", isOfManagers: true },
  { what: "Offer", list: "listOffers", page: "offers", isOfManagers: true },
] as const;
const MOST = 5;

const underOf = ({ title, siteName, publisherName }: Row): string =>
  [title, siteName, publisherName].filter(Boolean).join(" · ");

const useFound = (search: string, isManager: boolean) =>
  PLACES.map((place) => {
    const isAsked = search !== "" && (isManager || !place.isOfManagers);
    return { place, isAsked, read: useRead(isAsked ? place.list : null, { search, take: MOST }) };
  }).filter(({ isAsked }) => isAsked);

const foundOf = (n: number, isMore: boolean): string => {
  if (n === 0) return "Nothing has a name like that.";
  return isMore ? `The first ${MOST} of each kind: type more of the name, or see all.` : `${count(n)} found`;
};

/** Finds what somebody runs by a part of its name, whatever it is, and leads there. */
export const Find = (): JSX.Element => {
  const isManager = useWho().kind !== "publisher";
  const [search, setSearch] = useState("");
  const places = useFound(search, isManager);
  const failed = places.find(({ read }) => read.error)?.read;
  const isLoading = places.some(({ read }) => read.isLoading);
  const isRead = search !== "" && places.every(({ read }) => read.data);
  const found = places.flatMap(({ place, read }) => {
    const rows: readonly Row[] = read.data ?? [];
    return rows.map((row) => ({ place, row }));
  });
  const more = places.flatMap(({ place: { page }, read: { data, pagination } }) =>
    pagination && data && pagination.total > data.length ? [{ page, total: pagination.total }] : [],
  );
  return (
    <section class="card" aria-label="Find">
      <div class="tools" role="search">
        <Search
          label={`Find a ${isManager ? "publisher, site, placement, advertiser or offer" : "site or placement"}`}
          value={search}
          onSearch={setSearch}
          isRoomy
        />
      </div>
      <div class="inside" aria-busy={isLoading} hidden={search === ""}>
        {failed?.error && <ProblemNote of={failed.error} retry={failed.reload} />}
        {isLoading && found.length === 0 && <Bones lines={2} />}
        <p class="muted small" role="status">
          {isRead && !isLoading && !failed && foundOf(found.length, more.length > 0)}
        </p>
        <ul class={isLoading ? "lines is-loading" : "lines"} aria-label="What was found">
          {found.map(({ place: { what, page }, row }) => (
            <li key={row.id}>
              <span class="grow">
                <a class="clip" href={`/console/${page}/${row.id}`} dir="auto">
                  {row.name}
                </a>
                {underOf(row) !== "" && (
                  <span class="under clip" dir="auto">
                    {underOf(row)}
                  </span>
                )}
              </span>
              <Badge>{what}</Badge>
            </li>
          ))}
        </ul>
        {!isLoading &&
          more.map(({ page, total }) => (
            <p key={page}>
              <a href={addressOf(`/console/${page}`, { search })}>
                All {count(total)} {page}
              </a>
            </p>
          ))}
      </div>
    </section>
  );
};
