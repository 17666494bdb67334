import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePlatforms } from "../../api/platforms.ts";
import type { Kind } from "../../api/session.ts";
import { useRead, type Read } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { addressOf } from "../../core/filters.ts";
import { count } from "../../core/format.ts";
import { Badge, Bones } from "../../parts/bits.tsx";
import { Search } from "../../parts/fields/field.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

type Row = { id: string; name: string } & Partial<Record<"title" | "siteName" | "publisherName", string>>;

/** Lists where to search, who may search there, and which pages show what was found. */
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

type Place = { what: string; page: string; of: (row: Row) => string };
type Found = {
  place: Place;
  isAsked: boolean;
  read: Pick<Read<readonly Row[]>, "data" | "error" | "isLoading" | "reload"> & { total: number };
};

/** Leads to the list, limited to the one that was found. */
const PLATFORM: Place = {
  what: "Platform",
  page: "platforms",
  of: ({ name }) => addressOf("/console/platforms", { search: name }),
};

const useFoundPlatforms = (search: string, kind: Kind): Found => {
  const isAsked = search !== "" && kind === "admin";
  const read = usePlatforms(search, isAsked);
  return {
    place: PLATFORM,
    isAsked,
    read: { ...read, data: read.data?.slice(0, MOST) ?? null, total: read.data?.length ?? 0 },
  };
};

const useFound = (search: string, kind: Kind): Found[] =>
  [
    useFoundPlatforms(search, kind),
    ...PLACES.map(({ what, list, page, isOfManagers }): Found => {
      const isAsked = search !== "" && (kind !== "publisher" || !isOfManagers);
      const read = useRead(isAsked ? list : null, { search, take: MOST });
      return {
        place: { what, page, of: ({ id }) => `/console/${page}/${id}` },
        isAsked,
        read: { ...read, total: read.pagination?.total ?? 0 },
      };
    }),
  ].filter(({ isAsked }) => isAsked);

const NAMED: Record<Kind, string> = {
  admin: "platform, publisher, site, placement, advertiser or offer",
  platform: "publisher, site, placement, advertiser or offer",
  publisher: "site or placement",
};

const foundOf = (n: number, isMore: boolean): string => {
  if (n === 0) return "Nothing has a name like that.";
  return isMore ? `The first ${MOST} of each kind: type more of the name, or see all.` : `${count(n)} found`;
};

/** Finds anything within the user's reach by a part of its name, and leads there. */
export const Find = (): JSX.Element => {
  const { kind } = useWho();
  const [search, setSearch] = useState("");
  const places = useFound(search, kind);
  const failed = places.find(({ read }) => read.error)?.read;
  const isLoading = places.some(({ read }) => read.isLoading);
  const isRead = search !== "" && places.every(({ read }) => read.data);
  // Results that came later would move what somebody is about to press.
  const isThere = places.every(({ read }) => read.data ?? read.error);
  const found = isThere ? places.flatMap(({ place, read }) => (read.data ?? []).map((row) => ({ place, row }))) : [];
  const more = places.flatMap(({ place: { page }, read: { data, total } }) =>
    data && total > data.length ? [{ page, total }] : [],
  );
  return (
    <section class="card" aria-label="Find">
      <div class="tools" role="search">
        <Search label={`Find a ${NAMED[kind]}`} value={search} onSearch={setSearch} isRoomy />
      </div>
      <div class="inside" aria-busy={isLoading} hidden={search === ""}>
        {failed?.error && <ProblemNote of={failed.error} retry={failed.reload} />}
        {isLoading && found.length === 0 && <Bones lines={2} />}
        <p class="muted small" role="status">
          {isRead && !isLoading && !failed ? foundOf(found.length, more.length > 0) : "\u00a0"}
        </p>
        <ul class={isLoading ? "lines is-loading" : "lines"} aria-label="What was found">
          {found.map(({ place: { what, of }, row }) => (
            <li key={row.id}>
              <span class="grow">
                <a class="clip" href={of(row)} dir="auto">
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
