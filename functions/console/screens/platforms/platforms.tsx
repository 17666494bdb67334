import type { Platform } from "#client";
import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { usePlatforms } from "../../api/platforms.ts";
import { Rotate } from "../../blocks/keys/rotate.tsx";
import { Badge, Clip, Empty, Time } from "../../parts/bits.tsx";
import { useDialog } from "../../parts/dialog.tsx";
import { Search } from "../../parts/fields/field.tsx";
import { ListCard, pageOf, useAddress, type List } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toasts.tsx";
import { EditPlatform } from "./edit-platform.tsx";
import { NewPlatform } from "./new-platform.tsx";

type Open = { what: "new" } | { what: "edit" | "token"; platform: Platform };

const columnsOf = (open: (what: Open) => void): readonly Column<Platform>[] => [
  {
    title: "Platform",
    cell: ({ id, name, elevatedLimits }) => (
      <>
        <Clip>{name}</Clip>
        {elevatedLimits && <Badge>Raised limits</Badge>}
        <code class="under">{id}</code>
        <span class="row small">
          <a href={`/console/publishers?platformId=${id}`}>Publishers</a>
          <a href={`/console/advertisers?platformId=${id}`}>Advertisers</a>
          <a href={`/console/offers?platformId=${id}`}>Offers</a>
          <a href={`/console/audit?resource=platform&id=${id}`}>History</a>
        </span>
      </>
    ),
  },
  { title: "Created", isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Change",
    cell: (platform) => (
      <span class="row">
        <button type="button" class="button little" onClick={() => open({ what: "edit", platform })}>
          Edit
        </button>
        <button type="button" class="button little danger" onClick={() => open({ what: "token", platform })}>
          New token …
        </button>
      </span>
    ),
  },
];

const usePlatformList = (): List<Platform> => {
  const address = useAddress(["search"]);
  const read = usePlatforms(address.filters["search"] ?? "");
  return { ...address, read: pageOf(read.data, address.page, read) };
};

/** Lists platforms for the administrator, who creates and changes them and gives them new tokens. */
export const Platforms = (): JSX.Element => {
  const list = usePlatformList();
  const { filters, filter, read } = list;
  const [open, setOpen, close] = useDialog<Open>();
  return (
    <Page
      title="Platforms"
      actions={
        <button type="button" class="button main-action" onClick={() => setOpen({ what: "new" })}>
          New platform
        </button>
      }
    >
      <ListCard
        label="Platforms"
        list={list}
        columns={columnsOf(setOpen)}
        tools={<Search label="Name" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />}
        empty={
          <Empty title="No platforms yet">
            <p>
              A platform is a shop system with many shops. It creates publishers and offers with a token of its own.
            </p>
          </Empty>
        }
      />
      {open?.what === "new" && (
        <NewPlatform
          onClose={() => {
            close();
            // A platform whose answer was lost may exist all the same.
            read.reload();
          }}
        />
      )}
      {open?.what === "edit" && (
        <EditPlatform
          platform={open.platform}
          onClose={close}
          onSaved={() => {
            close();
            say("Saved.");
            read.reload();
          }}
        />
      )}
      {open?.what === "token" && (
        <Rotate
          title={`New token for “${open.platform.name}”`}
          rotate={async (body) => (await api.rotatePlatformToken(open.platform.id, body)).data.token}
          label="The new token"
          onDone={() => say("The platform has a new token.")}
          onClose={close}
        >
          <p>
            All its tokens end, at once or at the time that you choose below. From then on, whatever uses one of them is
            refused until it has the new one. Pages keep showing offers, and its publishers’ tokens keep working.
          </p>
        </Rotate>
      )}
    </Page>
  );
};
