import type { JSX } from "preact";
import type { Publisher } from "../../api/types.ts";
import { count } from "../../core/format.ts";
import { Empty, Status, Time } from "../../parts/bits.tsx";
import { Search, Select } from "../../parts/field.tsx";
import { ListCard, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";

const COLUMNS: readonly Column<Publisher>[] = [
  {
    title: "Publisher",
    cell: ({ name, contactEmail }) => (
      <>
        <span class="clip" dir="auto">
          {name}
        </span>
        <span class="under">{contactEmail}</span>
      </>
    ),
  },
  { title: "Status", cell: ({ status, adsEnabled }) => <Status of={status} ads={adsEnabled} /> },
  { title: "Sites", isNumber: true, isWide: true, cell: ({ sites }) => count(sites) },
  {
    title: "Placements",
    isNumber: true,
    isWide: true,
    cell: ({ placements, activePlacements }) => `${count(activePlacements)} of ${count(placements)} active`,
  },
  {
    title: "Platform",
    isWide: true,
    cell: ({ platformName }) => (
      <span class="clip" dir="auto">
        {platformName}
      </span>
    ),
  },
  { title: "Since", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Lists publishers. */
export const Publishers = (): JSX.Element => {
  const list = useList<Publisher>("/api/v1/directory/publishers", ["search", "status", "adsEnabled"]);
  const { filters, filter } = list;
  return (
    <Page title="Publishers">
      <ListCard
        label="Publishers"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name or contact" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
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
          <Empty title="No publishers yet">
            <p>
              A publisher is a shop or merchant whose pages show offers. A platform creates one with{" "}
              <code>POST /api/v1/publishers</code>, and gets its keys in the answer.
            </p>
          </Empty>
        }
      />
    </Page>
  );
};
