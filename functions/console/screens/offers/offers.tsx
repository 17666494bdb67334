import type { Offer } from "#client";
import type { JSX } from "preact";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { TickedList, type Action } from "../../blocks/bulk.tsx";
import { Download } from "../../blocks/download.tsx";
import { nameColumn } from "../../blocks/listing/columns.tsx";
import { ByStatus, STARTED } from "../../blocks/listing/filters.tsx";
import { PlatformChip } from "../../blocks/named-chip.tsx";
import type { Why } from "../../blocks/changing/stop.tsx";
import { TOGETHER } from "../../blocks/switch-actions.ts";
import { nearestCap } from "../../core/offers/caps.ts";
import { count, price } from "../../core/format.ts";
import { Empty, Gauge, Time } from "../../parts/bits.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Search } from "../../parts/fields/field.tsx";
import { useList } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { exportFile } from "./export.ts";
import { Standing } from "./standing.tsx";

/** Shows how much of an offer's nearest cap is used. */
export const Used = ({ of }: { of: Offer }): JSX.Element => {
  const nearest = nearestCap(of);
  if (!nearest) return <span class="muted">No cap</span>;
  const { isDaily, used, cap } = nearest;
  return (
    <span class="stack tight">
      <Gauge label={isDaily ? "Used today" : "Used in total"} used={used} of={cap} />
      <span class="under">
        {count(used)} of {count(cap)} {isDaily ? "today" : "in total"}
      </span>
    </span>
  );
};

const PAID = { CPM: "1,000 impressions", CPC: "click", CPA: "conversion" } as const;

/** Says what an offer pays, and for what. */
export const priceOf = ({ bidMicros, pricing }: Pick<Offer, "bidMicros" | "pricing">): string =>
  `${price(bidMicros / 1e6)} a ${PAID[pricing]}`.replace("a 1,000", "for 1,000");

const COLUMNS: readonly Column<Offer>[] = [
  nameColumn("Offer", "offers", ({ title, advertiser }) => (
    <>
      <span class="under clip" dir="auto">
        {title}
      </span>
      {advertiser && (
        <span class="under clip">
          by <bdi>{advertiser.name}</bdi>
        </span>
      )}
    </>
  )),
  {
    title: "Status",
    cell: (offer) => <Standing of={offer} />,
  },
  { title: "Pays", isWide: true, cell: priceOf },
  { title: "Caps", isWide: true, cell: (offer) => <Used of={offer} /> },
  { title: "Changed", isWide: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const switching =
  (status: Offer["status"]) =>
  ({ id }: Offer, { reason = TOGETHER }: Why) =>
    api.updateOfferStatus(id, { status, reason });

const STOPPED = "From the next answer on, nobody sees them. What was counted stays, and you can";

const ACTIONS: readonly Action<Offer>[] = [
  { text: "Pause", asks: `${STOPPED} start them again at any time.`, change: switching("paused") },
  { text: "Start", change: switching("active") },
  {
    text: "Archive",
    asks: `${STOPPED} restore them at any time.`,
    change: switching("archived"),
  },
];

/** Lists offers. */
export const Offers = (): JSX.Element => {
  const list = useList("listOffers", ["search", "status", "advertiserId", "platformId"], { include: "relations" });
  const { filters, filter } = list;
  const who = useWho();
  const advertiserId = filters["advertiserId"];
  const advertiser = useRead(advertiserId ? "getAdvertiser" : null, advertiserId ?? "").data;
  return (
    <Page
      title="Offers"
      actions={
        <>
          {mayOwn(who) && (
            <a class="button" href="/console/offers/import">
              Import
            </a>
          )}
          <Download make={() => exportFile(filters, "csv")} text="Export CSV" look="" />
          <Download make={() => exportFile(filters, "ndjson")} text="Export JSON lines" look="" />
          <a
            class="button main-action"
            href={advertiserId ? `/console/offers/new?advertiserId=${advertiserId}` : "/console/offers/new"}
          >
            New offer
          </a>
        </>
      }
    >
      <TickedList
        label="Offers"
        list={list}
        columns={COLUMNS}
        actions={ACTIONS}
        tools={
          <>
            <Search label="Name or text" value={filters["search"] ?? ""} onSearch={(search) => filter({ search })} />
            <ByStatus list={list} choices={STARTED} />
            {advertiserId && (
              <Chip
                text={`Advertiser: ${advertiser?.name ?? advertiserId}`}
                onRemove={() => filter({ advertiserId: "" })}
              />
            )}
            {filters["platformId"] && (
              <PlatformChip id={filters["platformId"]} onRemove={() => filter({ platformId: "" })} />
            )}
          </>
        }
        empty={
          <Empty title="No offers yet">
            <p>
              An offer is what customers see after their purchase, and what its advertiser pays for. First make an
              advertiser, then its offers.
            </p>
            <a class="button" href="/console/advertisers">
              Go to advertisers
            </a>
          </Empty>
        }
      />
    </Page>
  );
};
