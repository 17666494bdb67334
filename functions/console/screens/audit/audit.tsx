import type { AuditRecord } from "#client";
import type { JSX } from "preact";
import { useWho } from "../../api/who.ts";
import { Actor, Diff, Reason } from "../../blocks/history.tsx";
import { NamedChip } from "../../blocks/named-chip.tsx";
import { words } from "../../core/format.ts";
import { isoTime, localTime } from "../../core/times.ts";
import { Badge, Copy, Empty, Time, type Tone } from "../../parts/bits.tsx";
import { Search, Select, type Choice } from "../../parts/fields/field.tsx";
import { ListCard, useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";

const KNOWN = ["resource", "id", "action", "publisherId", "from", "to"] as const;
const TONES: Record<AuditRecord["action"], Tone> = { create: "good", update: "none", delete: "bad", erase: "warn" };
const DONE: Record<AuditRecord["action"], string> = {
  create: "Created",
  update: "Changed",
  delete: "Deleted",
  erase: "Forgot a customer",
};

/** Says which kinds of resource publishers have. */
const IS_PUBLISHERS: Record<AuditRecord["resource"]["kind"], boolean> = {
  publisher: true,
  token: true,
  publicKey: true,
  site: true,
  placement: true,
  platform: false,
  platformToken: false,
  advertiser: false,
  offer: false,
  creative: false,
};

/** Names the screens of what may be changed; a deleted one has none. */
const SCREENS: Record<string, string> = {
  publisher: "publishers",
  site: "sites",
  placement: "placements",
  advertiser: "advertisers",
  offer: "offers",
};

const What = ({ of: { resource, action }, isManager }: { of: AuditRecord; isManager: boolean }) => {
  const folder = SCREENS[resource.kind];
  const mayOpen = isManager || resource.kind === "site" || resource.kind === "placement";
  return (
    <>
      <span class="row tight">
        <Badge tone={TONES[action]}>{DONE[action]}</Badge>
        {words(resource.kind)}
      </span>
      <span class="under">
        {folder && mayOpen && action !== "delete" ? (
          <a href={`/console/${folder}/${resource.id}`}>{resource.id}</a>
        ) : (
          resource.id
        )}
      </span>
    </>
  );
};

const columnsOf = (isManager: boolean): Column<AuditRecord>[] => [
  {
    title: "When and who",
    cell: (record) => (
      <>
        <Time at={record.createdAt} isFull />
        <span class="under">
          <Actor of={record} />
          {record.callerIpAddress && ` from ${record.callerIpAddress}`}
        </span>
      </>
    ),
  },
  { title: "What", cell: (record) => <What of={record} isManager={isManager} /> },
  {
    title: "Before and after",
    cell: (record) => (
      <>
        {record.before || record.after ? <Diff of={record} /> : <span class="muted">Nothing of it is kept</span>}
        <Reason of={record} />
      </>
    ),
  },
  {
    title: "Request",
    cell: ({ requestId }) => (
      <span class="row tight">
        <code class="small">{requestId}</code>
        <Copy text={requestId} />
      </span>
    ),
  },
];

/** Lists who changed what, with the values before and after. */
export const Audit = (): JSX.Element => {
  const list = useList("listAudit", KNOWN);
  const { filters, filter } = list;
  const isManager = useWho().kind !== "publisher";
  const kinds = Object.entries(IS_PUBLISHERS).flatMap(([kind, isPublishers]) =>
    isManager || isPublishers ? [kind] : [],
  );
  const time = (name: "from" | "to") => ({
    type: "datetime-local" as const,
    value: localTime(filters[name]),
    mayBeEmpty: true,
    onTake: (local: string) => filter({ [name]: isoTime(local) }),
  });
  return (
    <Page title="Audit">
      <ListCard
        label="Changes"
        list={list}
        columns={columnsOf(isManager)}
        tools={
          <>
            <Search label="Id of what was changed" value={filters["id"] ?? ""} onSearch={(id) => filter({ id })} />
            <Select
              label="What"
              value={filters["resource"] ?? ""}
              onChange={(resource) => filter({ resource })}
              choices={[["", "All"], ...kinds.map((kind): Choice => [kind, words(kind)])]}
            />
            <Select
              label="Change"
              value={filters["action"] ?? ""}
              onChange={(action) => filter({ action })}
              choices={[["", "All"], ...Object.entries(DONE)]}
            />
            <When label="From (your time)" {...time("from")} />
            <When label="Before (your time)" {...time("to")} />
            {filters["publisherId"] && (
              <NamedChip what="publisher" id={filters["publisherId"]} onRemove={() => filter({ publisherId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="Nobody has changed anything yet">
            <p>
              Every change is kept here for 400 days: who made it, when, by which request, and what was before and
              after. For secrets it says only that they changed.
            </p>
          </Empty>
        }
      />
    </Page>
  );
};
