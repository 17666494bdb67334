import type { Advertiser } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { FormEnd, useEditing } from "../../blocks/editing.tsx";
import { nameColumn, SINCE } from "../../blocks/listing/columns.tsx";
import { ByStatus, STARTED } from "../../blocks/listing/filters.tsx";
import { Listing } from "../../blocks/listing/listing.tsx";
import { PlatformChip } from "../../blocks/named-chip.tsx";
import { Empty, Status } from "../../parts/bits.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Search, Text } from "../../parts/fields/field.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { ListCard, useList } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import { REACHES } from "./edit-advertiser.tsx";

const COLUMNS: readonly Column<Advertiser>[] = [
  nameColumn("Advertiser", "advertisers"),
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  { title: "Serves", isWide: true, cell: ({ reach }) => REACHES[reach] },
  { title: "Offers", isWide: true, cell: ({ id }) => <a href={`/console/offers?advertiserId=${id}`}>Show</a> },
  SINCE,
];

const NewAdvertiser = ({ onDone, onClose }: { onDone: (id: string) => void; onClose: () => void }): JSX.Element => {
  const [name, setName] = useState("");
  const editing = useEditing(null);
  return (
    <Dialog title="New advertiser" onClose={onClose}>
      <ClosingForm
        isBusy={editing.isBusy}
        onSend={() =>
          editing.save(
            () => api.createAdvertiser({ name: name.trim() }),
            ({ id }) => onDone(id),
          )
        }
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
      </ClosingForm>
    </Dialog>
  );
};

/** Lists advertisers. */
export const Advertisers = (): JSX.Element => {
  const list = useList("listAdvertisers", ["search", "status", "platformId"]);
  const { filters, filter } = list;
  return (
    <Listing
      title="Advertisers"
      section="advertisers"
      one="advertiser"
      form={(onDone, onClose) => <NewAdvertiser onClose={onClose} onDone={onDone} />}
    >
      <ListCard
        label="Advertisers"
        list={list}
        columns={COLUMNS}
        tools={
          <>
            <Search label="Name" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
            <ByStatus list={list} choices={STARTED} />
            {filters["platformId"] && (
              <PlatformChip id={filters["platformId"]} onRemove={() => filter({ platformId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No advertisers yet">
            <p>An advertiser pays for offers. Create one, then its first offer.</p>
          </Empty>
        }
      />
    </Listing>
  );
};
