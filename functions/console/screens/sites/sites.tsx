import type { SiteEntry } from "#client";
import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { mayChange, useWho } from "../../api/who.ts";
import { TickedList } from "../../blocks/bulk.tsx";
import { nameColumn, ownerColumn, SINCE } from "../../blocks/listing/columns.tsx";
import { ByAds, ByStatus, SWITCHED } from "../../blocks/listing/filters.tsx";
import { Listing } from "../../blocks/listing/listing.tsx";
import { NamedChip } from "../../blocks/named-chip.tsx";
import { switchActions } from "../../blocks/switch-actions.ts";
import { count } from "../../core/format.ts";
import { Empty, Status } from "../../parts/bits.tsx";
import { Search } from "../../parts/fields/field.tsx";
import { useList } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SiteForm } from "./edit-site.tsx";

const ACTIONS = switchActions(
  (id, body) => api.updateSiteStatus(id, body),
  (id, body) => api.updateSiteAds(id, body),
);

const COLUMNS: readonly Column<SiteEntry>[] = [
  nameColumn("Site", "sites", ({ domain }) => domain && <span class="under">{domain}</span>),
  { title: "Status", cell: ({ status, adsEnabled }) => <Status of={status} ads={adsEnabled} /> },
  {
    title: "Placements",
    isNumber: true,
    isWide: true,
    cell: ({ placements, activePlacements }) => `${count(activePlacements)} of ${count(placements)} active`,
  },
  ownerColumn("Publisher", ({ publisherName }) => publisherName),
  SINCE,
];

/** Lists sites. */
export const Sites = (): JSX.Element => {
  const list = useList("listSiteDirectory", ["search", "status", "adsEnabled", "publisherId"]);
  const { filters, filter } = list;
  const may = mayChange(useWho());
  return (
    <Listing
      title="Sites"
      section="sites"
      one="site"
      form={
        may &&
        ((onDone, onClose) => (
          <Dialog title="New site" onClose={onClose} isWide>
            <SiteForm site={null} etag={null} onSaved={onDone} onReload={() => undefined} onClose={onClose} />
          </Dialog>
        ))
      }
    >
      <TickedList
        actions={may ? ACTIONS : null}
        label="Sites"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name or domain" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
            <ByStatus list={list} choices={[...SWITCHED, ["pending", "Pending"]]} />
            <ByAds list={list} />
            {filters["publisherId"] && (
              <NamedChip what="publisher" id={filters["publisherId"]} onRemove={() => filter({ publisherId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No sites yet">
            <p>
              A site is a shop on the web. Its publisher creates it here, or with <code>POST /api/site</code>. It shows
              offers once it is active and has a placement.
            </p>
          </Empty>
        }
      />
    </Listing>
  );
};
