import type { Offer as OfferType } from "#client";
import { Fragment, type JSX } from "preact";
import { useRoute } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead, useWrite } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { Confirm } from "../../blocks/changing/confirm.tsx";
import { Figures } from "../../blocks/figures/figures.tsx";
import { History } from "../../blocks/history.tsx";
import { NameList } from "../../blocks/named.tsx";
import { States } from "../../blocks/changing/states.tsx";
import { nameIn, valuesIn } from "../../core/closed.ts";
import { count } from "../../core/format.ts";
import { copyName, LISTS, type Listed } from "../../core/offers/offer.ts";
import { Badge, Gauge, Id, Time } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { useGoTo } from "../../parts/moving/go-to.ts";
import { Card, Page, Unread } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { Creatives } from "./creatives.tsx";
import { Hits } from "./hits.tsx";
import { priceOf } from "./offers.tsx";
import { Pacing } from "./pacing.tsx";
import { Standing } from "./standing.tsx";

const CRUMBS = [{ href: "/console/offers", text: "Offers" }];

/** Makes a paused copy of an offer with its creatives, as they are now, and returns its id. */
const copyOf = async (id: string): Promise<string> => {
  const [{ data: offer }, { data: creatives }] = await Promise.all([api.getOffer(id), api.listCreatives(id)]);
  const copy = { ...offer, name: copyName(offer.name), status: "paused" as const, creatives };
  const { data } = await api.importOffers([copy], { copyTo: offer.advertiserId });
  const [row] = data.rows;
  if (!row?.id) throw new Error(row?.error?.message ?? "The copy was refused");
  return row.id;
};

const Caps = ({ of: { dailyCap, lifetimeCap, usage, pacing } }: { of: OfferType }): JSX.Element => (
  <div class="stack">
    {dailyCap === null && lifetimeCap === null && (
      <p class="muted">No cap: it is shown as often as it wins, and paid for each time.</p>
    )}
    {[
      { text: "Today (UTC)", used: usage?.today ?? 0, cap: dailyCap },
      { text: "Total", used: usage?.lifetime ?? 0, cap: lifetimeCap },
    ].map(({ text, used, cap }) =>
      cap === null ? null : (
        <div key={text} class="stack tight">
          <div class="row spread">
            <span>{text}</span>
            <span>
              <strong>{count(used)}</strong> of {count(cap)}
            </span>
          </div>
          <Gauge label={text} used={used} of={cap} />
        </div>
      ),
    )}
    <p class="muted small">
      {pacing === "EVEN" ? "Spent evenly, along its traffic." : "Spent as fast as possible."}
      {usage?.reached === "DAILY" && " Today’s cap is reached: it goes on at midnight UTC."}
      {usage?.reached === "LIFETIME" && " The total cap is reached: it is no longer shown."}
    </p>
  </div>
);

const Entries = ({ of, entries }: { of: Listed; entries: readonly string[] }): JSX.Element => {
  if ("names" in of) {
    const values = valuesIn(of.names, entries).filter((value) => entries.includes(value));
    return <>{values.map((value) => nameIn(of.names, value)).join(", ")}</>;
  }
  if ("hint" in of) return <>{entries.join(", ")}</>;
  return of.picked === "category" ? <>{entries.join("; ")}</> : <NameList what={of.picked} ids={entries} />;
};

const Audience = ({ of: { targeting } }: { of: OfferType }): JSX.Element => {
  const named = LISTS.filter(([name]) => targeting[name].length > 0);
  const { amountMin, amountMax } = targeting;
  if (named.length === 0 && amountMin === null && amountMax === null)
    return <p class="muted">Everybody, everywhere.</p>;
  return (
    <dl class="facts">
      {named.map(([name, list]) => (
        <Fragment key={name}>
          <dt>{list.label}</dt>
          <dd>
            <Entries of={list} entries={targeting[name]} />
          </dd>
        </Fragment>
      ))}
      {(amountMin !== null || amountMax !== null) && (
        <>
          <dt>Order amount</dt>
          <dd>
            {amountMin ?? 0} to {amountMax ?? "any"}
          </dd>
        </>
      )}
    </dl>
  );
};

const Facts = ({ of }: { of: OfferType }): JSX.Element => (
  <dl class="facts">
    <dt>Advertiser</dt>
    <dd>
      <a href={`/console/advertisers/${of.advertiserId}`} dir="auto">
        {of.advertiser?.name ?? of.advertiserId}
      </a>{" "}
      {of.advertiser && of.advertiser.status !== "active" && <Badge tone="warn">{of.advertiser.status}</Badge>}
    </dd>
    <dt>Pays</dt>
    <dd>
      {priceOf(of)}
      <span class="under">{of.publisherShareBps / 100}% of it is the publisher’s</span>
    </dd>
    <dt>Priority</dt>
    <dd>{of.priority}</dd>
    <dt>Starts</dt>
    <dd>{of.startsAt ? <Time at={of.startsAt} isFull /> : "At once"}</dd>
    <dt>Ends</dt>
    <dd>{of.endsAt ? <Time at={of.endsAt} isFull /> : "Never"}</dd>
    <dt>Leads to</dt>
    <dd>
      <code>{of.destinationUrl}</code>
    </dd>
    <dt>Id</dt>
    <dd>
      <Id id={of.id} />
    </dd>
  </dl>
);

/** Shows one offer. */
export const Offer = (): JSX.Element => {
  const id = useRoute().params["id"] ?? "";
  const goTo = useGoTo();
  const who = useWho();
  const [isDeleting, setDeleting] = useState(false);
  const read = useRead("getOffer", id, { include: "relations" });
  const { data: offer, etag, reload, put } = read;
  const { run, isBusy, error: refused } = useWrite();
  if (!offer) return <Unread what="offer" crumbs={CRUMBS} read={read} />;
  const copy = async (): Promise<void> => {
    const made = await run(() => copyOf(id));
    if (!made) return;
    const href = `/console/offers/${made}`;
    // An open dialog means that the user has begun something else.
    const isThere = !document.querySelector("dialog[open]") && goTo(href);
    const link = isThere ? undefined : { href, text: "Show the copy" };
    say("A paused copy was created. Start it when it is ready.", undefined, link);
  };
  return (
    <Page
      title={offer.name}
      crumbs={CRUMBS}
      read={read}
      actions={
        <>
          <Standing of={offer} />
          <States
            set={(status, why) => api.updateOfferStatus(id, { status, ...why })}
            show={(status) => put({ ...offer, status })}
            what="offer"
            name={offer.name}
            status={offer.status}
            onChanged={reload}
          >
            From the next answer on, nobody sees <strong dir="auto">{offer.name}</strong>.
          </States>
          {mayOwn(who) && (
            <a class="button little" href={`/console/explain?offerId=${id}`}>
              Why (not) shown
            </a>
          )}
          <Button look="little" isOff={isBusy} onPress={() => void copy()}>
            Copy
          </Button>
          <a class="button little main-action" href={`/console/offers/${id}/edit`}>
            Edit
          </a>
          <button type="button" class="button little danger" onClick={() => setDeleting(true)}>
            Delete …
          </button>
        </>
      }
    >
      {refused && <ProblemNote of={refused} />}
      <Figures
        filter={{ offerId: id }}
        empty="Figures appear as soon as customers see this offer at one of your publishers."
      />
      <div class="columns">
        <div class="stack">
          <Card title="Caps" id="caps" actions={<a href={`/console/offers/${id}/edit#price`}>Change them</a>}>
            <div class="stack">
              <Caps of={offer} />
              <Pacing of={offer} />
            </div>
          </Card>
          <Card title="About">
            <Facts of={offer} />
          </Card>
          <Card title="Who it is for">
            <Audience of={offer} />
          </Card>
        </div>
        <div class="stack">
          <Creatives offer={offer} />
          <Hits offerId={id} />
          <History resource="offer" id={id} version={`${offer.updatedAt} ${offer.status}`} />
        </div>
      </div>
      {isDeleting && (
        <Confirm
          title="Delete this offer?"
          action="Delete or archive"
          name={offer.name}
          work={() => api.deleteOffer(id, { ifMatch: etag })}
          onStale={reload}
          onClose={() => setDeleting(false)}
          onDone={() => {
            say("The offer was deleted, or archived if customers may have seen it.");
            goTo("/console/offers");
          }}
        >
          <p>
            An offer that nobody has seen is deleted with its creatives. One that was seen, or that has a cap and was
            active, is archived: what was counted stays, and clicks on it lead to the shop.
          </p>
        </Confirm>
      )}
    </Page>
  );
};
