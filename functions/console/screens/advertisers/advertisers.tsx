import type { Advertiser } from "#client";
import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { PlatformChip } from "../../blocks/named-chip.tsx";
import { words } from "../../core/format.ts";
import { Empty, Status, Time } from "../../parts/bits.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Search, Text } from "../../parts/field.tsx";
import { FilterBy, ListCard, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";

const COLUMNS: readonly Column<Advertiser>[] = [
  {
    title: "Advertiser",
    cell: ({ id, name }) => (
      <a class="clip" href={`/console/advertisers/${id}`} dir="auto">
        {name}
      </a>
    ),
  },
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  { title: "Reach", isWide: true, cell: ({ reach }) => words(reach) },
  { title: "Offers", isWide: true, cell: ({ id }) => <a href={`/console/offers?advertiserId=${id}`}>Show</a> },
  { title: "Since", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const NewAdvertiser = ({ onDone, onClose }: { onDone: (id: string) => void; onClose: () => void }): JSX.Element => {
  const [name, setName] = useState("");
  const editing = useEditing(null);
  return (
    <Dialog title="New advertiser" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void editing.save(
            () => api.createAdvertiser({ name: name.trim() }),
            ({ id }) => onDone(id),
          );
        }}
      >
        <Text
          label="Name"
          value={name}
          onChange={setName}
          error={editing.wrong["name"]}
          isRequired
          maxLength={255}
          autoFocus
        />
        <FormEnd
          editing={editing}
          onReload={() => undefined}
          onCancel={onClose}
          action="Create"
          isChanged={name !== ""}
        />
      </form>
    </Dialog>
  );
};

/** Lists advertisers. */
export const Advertisers = (): JSX.Element => {
  const list = useList("listAdvertisers", ["search", "status", "platformId"]);
  const { filters, filter } = list;
  const { route } = useLocation();
  const [isNew, setNew] = useState(false);
  return (
    <Page
      title="Advertisers"
      actions={
        <button type="button" class="button main-action" onClick={() => setNew(true)}>
          New advertiser
        </button>
      }
    >
      <ListCard
        label="Advertisers"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
            <FilterBy
              list={list}
              name="status"
              label="Status"
              choices={[
                ["active", "Active"],
                ["paused", "Paused"],
                ["archived", "Archived"],
              ]}
            />
            {filters["platformId"] && (
              <PlatformChip id={filters["platformId"]} onRemove={() => filter({ platformId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No advertisers yet">
            <p>An advertiser pays for offers. Make one with its name, then its first offer.</p>
          </Empty>
        }
      />
      {isNew && <NewAdvertiser onClose={() => setNew(false)} onDone={(id) => route(`/console/advertisers/${id}`)} />}
    </Page>
  );
};
