import type { PublisherEntry } from "#client";
import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { TickedList } from "../../blocks/bulk.tsx";
import { nameColumn, ownerColumn, SINCE } from "../../blocks/listing/columns.tsx";
import { ByAds, ByStatus, SWITCHED } from "../../blocks/listing/filters.tsx";
import { Listing } from "../../blocks/listing/listing.tsx";
import { PlatformChip } from "../../blocks/named-chip.tsx";
import { switchActions } from "../../blocks/switch-actions.ts";
import { count } from "../../core/format.ts";
import { Empty, Status } from "../../parts/bits.tsx";
import { Search } from "../../parts/fields/field.tsx";
import { useList } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import { NewPublisher } from "./edit-publisher.tsx";

const ACTIONS = switchActions(
  (id, body) => api.updatePublisherStatus(id, body),
  (id, body) => api.updatePublisherAds(id, body),
);

const COLUMNS: readonly Column<PublisherEntry>[] = [
  nameColumn("Publisher", "publishers", ({ contactEmail }) => <span class="under">{contactEmail}</span>),
  { title: "Status", cell: ({ status, adsEnabled }) => <Status of={status} ads={adsEnabled} /> },
  { title: "Sites", isNumber: true, isWide: true, cell: ({ sites }) => count(sites) },
  {
    title: "Placements",
    isNumber: true,
    isWide: true,
    cell: ({ placements, activePlacements }) => `${count(activePlacements)} of ${count(placements)} active`,
  },
  ownerColumn("Platform", ({ platformName }) => platformName),
  SINCE,
];

/** Lists publishers. */
export const Publishers = (): JSX.Element => {
  const list = useList("listPublisherDirectory", ["search", "status", "adsEnabled", "platformId"]);
  const { filters, filter } = list;
  const who = useWho();
  return (
    <Listing
      title="Publishers"
      section="publishers"
      one="publisher"
      form={who.kind === "platform" && ((onDone, onClose) => <NewPublisher onClose={onClose} onDone={onDone} />)}
    >
      <TickedList
        actions={mayOwn(who) ? ACTIONS : null}
        label="Publishers"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name or contact" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
            <ByStatus list={list} choices={SWITCHED} />
            <ByAds list={list} />
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
    </Listing>
  );
};
