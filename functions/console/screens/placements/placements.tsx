import type { PlacementEntry } from "#client";
import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { mayChange, useWho } from "../../api/who.ts";
import { TickedList, type Action } from "../../blocks/bulk.tsx";
import { NamedChip } from "../../blocks/named-chip.tsx";
import type { Why } from "../../blocks/changing/stop.tsx";
import { SWITCHED_OFF, TOGETHER } from "../../blocks/switch-actions.ts";
import { words } from "../../core/format.ts";
import { Badge, Clip, Empty, Status, Time } from "../../parts/bits.tsx";
import { Search } from "../../parts/field.tsx";
import { FilterBy, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { NewPlacement } from "./edit-placement.tsx";

const switching =
  (status: "active" | "inactive") =>
  ({ id }: PlacementEntry, { reason = TOGETHER }: Why) =>
    api.updatePlacementStatus(id, { status, reason });

const ACTIONS: readonly Action<PlacementEntry>[] = [
  { text: "Switch off", asks: SWITCHED_OFF, change: switching("inactive") },
  { text: "Switch on", change: switching("active") },
];

const COLUMNS: readonly Column<PlacementEntry>[] = [
  {
    title: "Placement",
    cell: ({ id, name, pageType }) => (
      <>
        <a class="clip" href={`/console/placements/${id}`} dir="auto">
          {name}
        </a>
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
    cell: ({ siteName }) => <Clip>{siteName}</Clip>,
  },
  {
    title: "Publisher",
    isWide: true,
    cell: ({ publisherName }) => <Clip>{publisherName}</Clip>,
  },
  { title: "Since", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const KNOWN = ["search", "status", "isLiveMode", "siteId", "publisherId"] as const;

/** Lists placements. */
export const Placements = (): JSX.Element => {
  const list = useList("listPlacementDirectory", KNOWN);
  const { filters, filter } = list;
  const may = mayChange(useWho());
  const { route } = useLocation();
  const [isNew, setNew] = useState(false);
  return (
    <Page
      title="Placements"
      actions={
        may && (
          <button type="button" class="button main-action" onClick={() => setNew(true)}>
            New placement
          </button>
        )
      }
    >
      <TickedList
        actions={may ? ACTIONS : null}
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
            <FilterBy
              list={list}
              name="status"
              label="Status"
              choices={[
                ["active", "Active"],
                ["inactive", "Inactive"],
              ]}
            />
            <FilterBy
              list={list}
              name="isLiveMode"
              label="Mode"
              choices={[
                ["true", "Live"],
                ["false", "Test"],
              ]}
            />
            {filters["siteId"] && (
              <NamedChip what="Site" id={filters["siteId"]} onRemove={() => filter({ siteId: "" })} />
            )}
            {filters["publisherId"] && (
              <NamedChip what="Publisher" id={filters["publisherId"]} onRemove={() => filter({ publisherId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No placements yet">
            <p>
              A placement is where a shop’s page shows offers, such as the page that says thank you. Its publisher makes
              it here, or with <code>POST /api/placements</code>, which also makes its site where there is none.
            </p>
          </Empty>
        }
      />
      {isNew && <NewPlacement onClose={() => setNew(false)} onSaved={(id) => route(`/console/placements/${id}`)} />}
    </Page>
  );
};
