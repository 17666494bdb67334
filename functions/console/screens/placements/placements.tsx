import type { JSX } from "preact";
import type { Placement } from "../../api/types.ts";
import { words } from "../../core/format.ts";
import { Badge, Empty, Status, Time } from "../../parts/bits.tsx";
import { Search, Select } from "../../parts/field.tsx";
import { ListCard, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";

const COLUMNS: readonly Column<Placement>[] = [
  {
    title: "Placement",
    cell: ({ name, pageType }) => (
      <>
        <span class="clip" dir="auto">
          {name}
        </span>
        <span class="under">{words(pageType)}</span>
      </>
    ),
  },
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Mode",
    cell: ({ isLiveMode }) => <Badge tone={isLiveMode ? "good" : "none"}>{isLiveMode ? "Live" : "Test"}</Badge>,
  },
  {
    title: "Site",
    isWide: true,
    cell: ({ siteName }) => (
      <span class="clip" dir="auto">
        {siteName}
      </span>
    ),
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

const KNOWN = ["search", "status", "isLiveMode", "siteId", "publisherId"] as const;

/** Lists placements. */
export const Placements = (): JSX.Element => {
  const list = useList<Placement>("/api/v1/directory/placements", KNOWN);
  const { filters, filter } = list;
  return (
    <Page title="Placements">
      <ListCard
        label="Placements"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search
              label="Name of placement or site"
              value={filters["search"] ?? ""}
              onSearch={(search) => filter({ search })}
            />
            <Select
              label="Status"
              value={filters["status"] ?? ""}
              onChange={(status) => filter({ status })}
              choices={[
                ["", "All"],
                ["active", "Active"],
                ["inactive", "Inactive"],
              ]}
            />
            <Select
              label="Mode"
              value={filters["isLiveMode"] ?? ""}
              onChange={(isLiveMode) => filter({ isLiveMode })}
              choices={[
                ["", "All"],
                ["true", "Live"],
                ["false", "Test"],
              ]}
            />
          </>
        }
        empty={
          <Empty title="No placements yet">
            <p>
              A placement is where a shop’s page shows offers, such as the page that says thank you. It is made with{" "}
              <code>POST /api/placements</code>, which also makes its site where there is none.
            </p>
          </Empty>
        }
      />
    </Page>
  );
};
