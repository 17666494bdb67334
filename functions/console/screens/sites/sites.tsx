import type { SiteEntry } from "#client";
import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { mayChange, useWho } from "../../api/who.ts";
import { TickedList } from "../../blocks/bulk.tsx";
import { NamedChip } from "../../blocks/named-chip.tsx";
import { switchActions } from "../../blocks/switch-actions.ts";
import { count } from "../../core/format.ts";
import { Clip, Empty, Status, Time } from "../../parts/bits.tsx";
import { Search } from "../../parts/field.tsx";
import { FilterBy, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SiteForm } from "./edit-site.tsx";

const ACTIONS = switchActions(
  (id, body) => api.updateSiteStatus(id, body),
  (id, body) => api.updateSiteAds(id, body),
);

const COLUMNS: readonly Column<SiteEntry>[] = [
  {
    title: "Site",
    cell: ({ id, name, domain }) => (
      <>
        <a class="clip" href={`/console/sites/${id}`} dir="auto">
          {name}
        </a>
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
    cell: ({ publisherName }) => <Clip>{publisherName}</Clip>,
  },
  { title: "Since", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Lists sites. */
export const Sites = (): JSX.Element => {
  const list = useList("listSiteDirectory", ["search", "status", "adsEnabled", "publisherId"]);
  const { filters, filter } = list;
  const may = mayChange(useWho());
  const { route } = useLocation();
  const [isNew, setNew] = useState(false);
  return (
    <Page
      title="Sites"
      actions={
        may && (
          <button type="button" class="button main-action" onClick={() => setNew(true)}>
            New site
          </button>
        )
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
            <FilterBy
              list={list}
              name="status"
              label="Status"
              choices={[
                ["active", "Active"],
                ["inactive", "Inactive"],
                ["pending", "Pending"],
              ]}
            />
            <FilterBy
              list={list}
              name="adsEnabled"
              label="Ads"
              choices={[
                ["true", "On"],
                ["false", "Off"],
              ]}
            />
            {filters["publisherId"] && (
              <NamedChip what="Publisher" id={filters["publisherId"]} onRemove={() => filter({ publisherId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No sites yet">
            <p>
              A site is a shop on the web. Its publisher makes it here, or with <code>POST /api/site</code>. It shows
              offers once it is active and has a placement.
            </p>
          </Empty>
        }
      />
      {isNew && (
        <Dialog title="New site" onClose={() => setNew(false)} isWide>
          <SiteForm
            site={null}
            etag={null}
            onSaved={(id) => route(`/console/sites/${id}`)}
            onReload={() => undefined}
            onClose={() => setNew(false)}
          />
        </Dialog>
      )}
    </Page>
  );
};
