import type { AdvertiserWithSecret } from "#client";
import type { JSX } from "preact";
import { useRoute } from "preact-iso/router";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { Confirm } from "../../blocks/changing/confirm.tsx";
import { Figures } from "../../blocks/figures/figures.tsx";
import { History } from "../../blocks/history.tsx";
import { Latest } from "../../blocks/listing/latest.tsx";
import { EditDelete, useOpened } from "../../blocks/opened.tsx";
import { States } from "../../blocks/changing/states.tsx";
import { plural } from "../../core/format.ts";
import { Bones, IdAndSince, Status } from "../../parts/bits.tsx";
import { Card, Page, Unread } from "../../parts/page.tsx";
import { useGoTo } from "../../parts/moving/go-to.ts";
import { ProblemNote } from "../../parts/problem.tsx";
import { useUndone } from "../../parts/undone.ts";
import { say } from "../../parts/toasts.tsx";
import { ConversionKeys } from "./conversion-keys.tsx";
import { EditAdvertiser, REACHES } from "./edit-advertiser.tsx";
import { priceOf } from "../offers/offers.tsx";
import { Standing } from "../offers/standing.tsx";

const CRUMBS = [{ href: "/console/advertisers", text: "Advertisers" }];

const OffersOf = ({ id }: { id: string }): JSX.Element => {
  const { data, error, pagination, reload } = useRead("listOffers", { advertiserId: id, take: 10 });
  useUndone(reload);
  return (
    <Card title="Offers" actions={<a href={`/console/offers?advertiserId=${id}`}>Show all</a>}>
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={3} />}
      {data?.length === 0 && <p class="muted">No offers yet.</p>}
      <ul class="lines">
        {data?.map((offer) => (
          <li key={offer.id}>
            <span class="grow">
              <a href={`/console/offers/${offer.id}`} dir="auto">
                {offer.name}
              </a>
              <span class="under">{priceOf(offer)}</span>
            </span>
            <Standing of={offer} />
          </li>
        ))}
      </ul>
      <Latest of={pagination} />
    </Card>
  );
};

/** Asks before an advertiser is deleted, or archived with its offers. */
const DeleteAdvertiser = ({
  of,
  etag,
  onStale,
  onClose,
}: {
  of: AdvertiserWithSecret;
  etag: string | null;
  onStale: () => void;
  onClose: () => void;
}): JSX.Element => {
  const goTo = useGoTo();
  const offers = useRead("listOffers", { advertiserId: of.id, take: 1 }).pagination?.total;
  return (
    <Confirm
      title="Delete this advertiser?"
      action="Delete or archive"
      name={of.name}
      work={() => api.deleteAdvertiser(of.id, { ifMatch: etag })}
      onStale={onStale}
      onClose={onClose}
      onDone={() => {
        say("The advertiser was deleted, or archived if it ever had an offer.");
        goTo("/console/advertisers");
      }}
    >
      <p>
        {offers === 0
          ? "It has no offers. It is deleted with its secret, or archived if it ever had an offer, on which hits may still come in."
          : `It has ${offers === undefined ? "offers" : plural(offers, "offer")}. It is archived with its offers, which are no longer shown.`}{" "}
        What was counted stays.
      </p>
    </Confirm>
  );
};

/** Shows one advertiser. */
export const Advertiser = (): JSX.Element => {
  const id = useRoute().params["id"] ?? "";
  const read = useRead("getAdvertiser", id);
  const { data, etag, reload, put } = read;
  const opened = useOpened(reload);
  if (!data) return <Unread what="advertiser" crumbs={CRUMBS} read={read} />;
  return (
    <Page
      title={data.name}
      crumbs={CRUMBS}
      read={read}
      actions={
        <>
          <Status of={data.status} />
          <States
            set={(status, why) => api.updateAdvertiserStatus(id, { status, ...why })}
            show={(status) => put({ ...data, status })}
            what="advertiser"
            name={data.name}
            status={data.status}
            onChanged={reload}
          >
            From the next answer on, nobody sees an offer of <strong dir="auto">{data.name}</strong>.
          </States>
          <a class="button little main-action" href={`/console/offers/new?advertiserId=${id}`}>
            New offer
          </a>
          <EditDelete open={opened.open} isLittle />
        </>
      }
    >
      <Figures filter={{ advertiserId: id }} empty="Figures appear as soon as customers see its offers." />
      <div class="columns">
        <div class="stack">
          <OffersOf id={id} />
          <History resource="advertiser" id={id} version={`${data.updatedAt} ${data.status}`} />
        </div>
        <div class="stack">
          <ConversionKeys of={data} onChanged={reload} />
          <Card title="About">
            <dl class="facts">
              <dt>Its offers serve</dt>
              <dd>{REACHES[data.reach]}</dd>
              <IdAndSince of={data} />
            </dl>
          </Card>
        </div>
      </div>
      {opened.name === "edit" && <EditAdvertiser id={id} onClose={opened.close} onSaved={opened.saved} />}
      {opened.name === "delete" && <DeleteAdvertiser of={data} etag={etag} onStale={reload} onClose={opened.close} />}
    </Page>
  );
};
