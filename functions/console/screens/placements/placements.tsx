import type { PlacementEntry } from "#client";
import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { mayChange, useWho } from "../../api/who.ts";
import { TickedList, type Action } from "../../blocks/bulk.tsx";
import { nameColumn, ownerColumn, SINCE } from "../../blocks/listing/columns.tsx";
import { ByStatus, SWITCHED } from "../../blocks/listing/filters.tsx";
import { Listing } from "../../blocks/listing/listing.tsx";
import { NamedChip } from "../../blocks/named-chip.tsx";
import type { Why } from "../../blocks/changing/stop.tsx";
import { SWITCHED_OFF, TOGETHER } from "../../blocks/switch-actions.ts";
import { words } from "../../core/format.ts";
import { Badge, Empty, Status } from "../../parts/bits.tsx";
import { Search } from "../../parts/fields/field.tsx";
import { FilterBy, useList } from "../../parts/list.tsx";
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
  nameColumn("Placement", "placements", ({ pageType }) => <span class="under">{words(pageType)}</span>),
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Mode",
    cell: ({ isLiveMode }) => <Badge tone={isLiveMode ? "good" : "none"}>{isLiveMode ? "Live" : "Test"}</Badge>,
  },
  ownerColumn("Site", ({ siteName }) => siteName),
  ownerColumn("Publisher", ({ publisherName }) => publisherName),
  SINCE,
];

const KNOWN = ["search", "status", "isLiveMode", "siteId", "publisherId"] as const;

/** Lists placements. */
export const Placements = (): JSX.Element => {
  const list = useList("listPlacementDirectory", KNOWN);
  const { filters, filter } = list;
  const may = mayChange(useWho());
  return (
    <Listing
      title="Placements"
      section="placements"
      one="placement"
      form={may && ((onDone, onClose) => <NewPlacement onClose={onClose} onSaved={onDone} />)}
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
            <ByStatus list={list} choices={SWITCHED} />
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
              <NamedChip what="site" id={filters["siteId"]} onRemove={() => filter({ siteId: "" })} />
            )}
            {filters["publisherId"] && (
              <NamedChip what="publisher" id={filters["publisherId"]} onRemove={() => filter({ publisherId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No placements yet">
            <p>
              A placement is where a shop’s page shows offers, such as the thank-you page. Its publisher creates it
              here, or with <code>POST /api/placements</code>, which also creates its site where there is none.
            </p>
          </Empty>
        }
      />
    </Listing>
  );
};
