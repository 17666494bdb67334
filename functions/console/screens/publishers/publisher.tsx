import type { PublisherEntry } from "#client";
import type { JSX } from "preact";
import { useRoute } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { signOut } from "../../api/session.ts";
import { useRead, useWrite } from "../../api/use.ts";
import { mayChange, mayOwn, useWho } from "../../api/who.ts";
import { Confirm } from "../../blocks/changing/confirm.tsx";
import { Figures } from "../../blocks/figures/figures.tsx";
import { Forget } from "../../blocks/forget.tsx";
import { History } from "../../blocks/history.tsx";
import { PublicKeys } from "../../blocks/keys/public-keys.tsx";
import { Tokens } from "../../blocks/keys/tokens.tsx";
import { EditDelete, useOpened } from "../../blocks/opened.tsx";
import { Switches } from "../../blocks/changing/switches.tsx";
import { labelOf } from "../../core/labels.ts";
import { count, plural } from "../../core/format.ts";
import { IdAndSince } from "../../parts/bits.tsx";
import { Check } from "../../parts/fields/field.tsx";
import { Card, Page, Unread } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { EditPublisher } from "./edit-publisher.tsx";
import { Order } from "./order.tsx";

const CRUMBS = [{ href: "/console/publishers", text: "Publishers" }];

const Facts = ({ of }: { of: PublisherEntry }): JSX.Element => (
  <dl class="facts">
    <dt>Contact</dt>
    <dd>
      <span dir="auto">{of.contactName}</span>
      <span class="under">
        <a href={`mailto:${encodeURIComponent(of.contactEmail)}`}>{of.contactEmail}</a>
        {of.contactPhone && ` · ${of.contactPhone}`}
      </span>
    </dd>
    <dt>Platform</dt>
    <dd dir="auto">{of.platformName}</dd>
    <dt>Sites</dt>
    <dd>
      <a href={`/console/sites?publisherId=${of.id}`}>{plural(of.sites, "site")}</a>,{" "}
      <a href={`/console/placements?publisherId=${of.id}`}>{plural(of.placements, "placement")}</a>
      <span class="under">{count(of.activePlacements)} active</span>
    </dd>
    <IdAndSince of={of} />
  </dl>
);

const Limits = ({
  of,
  show,
  onChanged,
}: {
  of: PublisherEntry;
  /** Shows the new limits, before the service has confirmed them. */
  show: (elevatedLimits: boolean) => void;
  onChanged: () => void;
}): JSX.Element => {
  const { run, isBusy, error } = useWrite();
  const set = async (elevatedLimits: boolean): Promise<void> => {
    show(elevatedLimits);
    if (!(await run(() => api.updatePublisherLimits(of.id, { elevatedLimits })))) return show(!elevatedLimits);
    say(elevatedLimits ? "The limits are raised." : "The limits are back to normal.", async () => {
      await api.updatePublisherLimits(of.id, { elevatedLimits: !elevatedLimits });
      say("Undone.");
    });
    return onChanged();
  };
  return (
    <div class="stack tight">
      <Check
        label={labelOf("elevatedLimits")}
        hint="It may switch sites 150 times a minute instead of 50."
        checked={of.elevatedLimits}
        isOff={isBusy}
        onChange={(on) => void set(on)}
      />
      {error && <ProblemNote of={error} />}
    </div>
  );
};

/** Shows one publisher. */
export const Publisher = (): JSX.Element => {
  const who = useWho();
  const isOwn = who.kind === "publisher";
  const { params } = useRoute();
  const id = (isOwn ? who.id : params["id"]) ?? "";
  const read = useRead("listPublisherDirectory", { id });
  const { data, reload } = read;
  const opened = useOpened(reload);
  // This counts changes that do not show in the publisher itself.
  const [changes, setChanges] = useState(0);
  const changed = (): void => setChanges((n) => n + 1);
  const publisher = data?.find((row) => row.id === id);
  const crumbs = isOwn ? [] : CRUMBS;
  if (!publisher) return <Unread what="publisher" crumbs={crumbs} read={read} />;
  const version = [publisher.updatedAt, publisher.status, publisher.adsEnabled, publisher.elevatedLimits].join();
  return (
    <Page
      title={publisher.name}
      crumbs={crumbs}
      read={read}
      actions={mayChange(who) && <EditDelete open={opened.open} />}
    >
      <Figures
        filter={{ publisherId: id }}
        empty="Figures appear as soon as a page of this publisher asks for offers."
      />
      <div class="columns">
        <div class="stack">
          <Card title="Switches">
            <div class="stack">
              <Switches
                of={{
                  set: (to, reason) =>
                    "status" in to
                      ? api.updatePublisherStatus(id, { ...to, ...reason })
                      : api.updatePublisherAds(id, { ...to, ...reason }),
                  show: (to) => read.put([{ ...publisher, ...to }]),
                  putBack: () => read.put([publisher]),
                  what: "publisher",
                  name: publisher.name,
                  status: publisher.status,
                  ads: publisher.adsEnabled,
                }}
                mayWrite={mayOwn(who)}
                onChanged={reload}
              />
              {!isOwn && (
                <Limits
                  of={publisher}
                  show={(elevatedLimits) => read.put([{ ...publisher, elevatedLimits }])}
                  onChanged={reload}
                />
              )}
            </div>
          </Card>
          <Card title="About">
            <Facts of={publisher} />
          </Card>
          <Order publisherId={id} version={version} onChanged={changed} />
          {mayOwn(who) && <Forget publisherId={id} onDone={changed} />}
        </div>
        <div class="stack">
          <Tokens publisherId={id} />
          <PublicKeys publisherId={id} />
          <History resource="publisher" id={id} version={`${version},${changes}`} />
        </div>
      </div>
      {opened.name === "edit" && <EditPublisher id={id} onClose={opened.close} onSaved={opened.saved} />}
      {opened.name === "delete" && (
        <Confirm
          title="Delete this publisher?"
          action="Delete for good"
          name={publisher.name}
          work={() => api.deletePublisher(id)}
          onClose={opened.close}
          onDone={() => signOut("Your publisher was deleted, and so was its token.")}
        >
          <p>
            Its {plural(publisher.sites, "site")}, {plural(publisher.placements, "placement")}, tokens, keys and history
            are deleted with it. You will be signed out. What was counted and earned stays, with only the ids. This
            cannot be undone.
          </p>
          {publisher.activePlacements > 0 && (
            <p class="note warn">
              {plural(publisher.activePlacements, "placement")} {publisher.activePlacements === 1 ? "is" : "are"}{" "}
              active. Switch off what is active first; until then it cannot be deleted.
            </p>
          )}
        </Confirm>
      )}
    </Page>
  );
};
