import type { PublisherEntry } from "#client";
import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { TickedList } from "../../blocks/bulk.tsx";
import { PlatformChip } from "../../blocks/named-chip.tsx";
import { switchActions } from "../../blocks/switch-actions.ts";
import { count } from "../../core/format.ts";
import { Clip, Empty, Status, Time } from "../../parts/bits.tsx";
import { Search } from "../../parts/field.tsx";
import { FilterBy, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { NewPublisher } from "./edit-publisher.tsx";

const ACTIONS = switchActions(
  (id, body) => api.updatePublisherStatus(id, body),
  (id, body) => api.updatePublisherAds(id, body),
);

const COLUMNS: readonly Column<PublisherEntry>[] = [
  {
    title: "Publisher",
    cell: ({ id, name, contactEmail }) => (
      <>
        <a class="clip" href={`/console/publishers/${id}`} dir="auto">
          {name}
        </a>
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
    cell: ({ platformName }) => <Clip>{platformName}</Clip>,
  },
  { title: "Since", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Lists publishers. */
export const Publishers = (): JSX.Element => {
  const list = useList("listPublisherDirectory", ["search", "status", "adsEnabled", "platformId"]);
  const { filters, filter } = list;
  const who = useWho();
  const { route } = useLocation();
  const [isNew, setNew] = useState(false);
  return (
    <Page
      title="Publishers"
      actions={
        who.kind === "platform" && (
          <button type="button" class="button main-action" onClick={() => setNew(true)}>
            New publisher
          </button>
        )
      }
    >
      <TickedList
        actions={mayOwn(who) ? ACTIONS : null}
        label="Publishers"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name or contact" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
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
              name="adsEnabled"
              label="Ads"
              choices={[
                ["true", "On"],
                ["false", "Off"],
              ]}
            />
            {filters["platformId"] && (
              <PlatformChip id={filters["platformId"]} onRemove={() => filter({ platformId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No publishers yet">
            <p>
              A publisher is a shop or merchant whose pages show offers. A platform creates one here, or with{" "}
              <code>POST /api/v1/publishers</code>, and gets its keys.
            </p>
          </Empty>
        }
      />
      {isNew && <NewPublisher onClose={() => setNew(false)} onDone={(id) => route(`/console/publishers/${id}`)} />}
    </Page>
  );
};
