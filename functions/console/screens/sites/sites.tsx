import type { JSX } from "preact";
import type { Site } from "../../api/types.ts";
import { count } from "../../core/format.ts";
import { Empty, Status, Time } from "../../parts/bits.tsx";
import { Search, Select } from "../../parts/field.tsx";
import { ListCard, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";

const COLUMNS: readonly Column<Site>[] = [
  {
    title: "Site",
    cell: ({ name, domain }) => (
      <>
        <span class="clip" dir="auto">
          {name}
        </span>
        {domain && <span class="under">{domain}</span>}
      </>
    ),
  },
  { title: "Status", cell: ({ status, adsEnabled }) => <Status of={status} ads={adsEnabled} /> },
  {
    title: "Placements",
    isNumber: true,
    isWide: true,
    cell: ({ placements, activePlacements }) => `${count(activePlacements)} of ${count(placements)} active`,
  },
  {
    title: "Publisher",
    isWide: true,
    cell: ({ publisherName }) => (
      <span class="clip" dir="auto">
        {publisherName}
      </span>
    ),
  },
  { title: "Since", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Lists sites. */
export const Sites = (): JSX.Element => {
  const list = useList<Site>("/api/v1/directory/sites", ["search", "status", "adsEnabled", "publisherId"]);
  const { filters, filter } = list;
  return (
    <Page title="Sites">
      <ListCard
        label="Sites"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name or domain" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
            <Select
              label="Status"
              value={filters["status"] ?? ""}
              onChange={(status) => filter({ status })}
              choices={[
                ["", "All"],
                ["active", "Active"],
                ["inactive", "Inactive"],
                ["pending", "Pending"],
              ]}
            />
            <Select
              label="Ads"
              value={filters["adsEnabled"] ?? ""}
              onChange={(adsEnabled) => filter({ adsEnabled })}
              choices={[
                ["", "All"],
                ["true", "On"],
                ["false", "Off"],
              ]}
            />
          </>
        }
        empty={
          <Empty title="No sites yet">
            <p>
              A site is a shop on the web. It is made by its publisher, with <code>POST /api/site</code>, and shows
              offers once it is active and has a placement.
            </p>
          </Empty>
        }
      />
    </Page>
  );
};
