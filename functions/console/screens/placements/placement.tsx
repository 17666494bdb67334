import type { PlacementEntry } from "#client";
import type { JSX } from "preact";
import { useRoute } from "preact-iso/router";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { mayChange, mayOwn, useWho } from "../../api/who.ts";
import { Confirm } from "../../blocks/changing/confirm.tsx";
import { Figures } from "../../blocks/figures/figures.tsx";
import { History } from "../../blocks/history.tsx";
import { EditDelete, useOpened } from "../../blocks/opened.tsx";
import { Switches } from "../../blocks/changing/switches.tsx";
import { words } from "../../core/format.ts";
import { snippetOf } from "../../core/looks.ts";
import { Badge, Bones, Copy, IdAndSince } from "../../parts/bits.tsx";
import { useGoTo } from "../../parts/moving/go-to.ts";
import { Card, Page, Unread } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { say } from "../../parts/toasts.tsx";
import { EditPlacement } from "./edit-placement.tsx";

const CRUMBS = [{ href: "/console/placements", text: "Placements" }];

/** Says why a placement shows no offers, if something is switched off. */
const Silent = ({ of }: { of: PlacementEntry }): JSX.Element | null => {
  const isOwn = useWho().kind === "publisher";
  const publisher = useRead("listPublisherDirectory", { id: of.publisherId }).data?.[0];
  const isOff = publisher && (publisher.status !== "active" || !publisher.adsEnabled);
  const why = [
    of.status !== "active" && "it is switched off",
    of.siteStatus !== "active" && `its site is ${of.siteStatus}`,
    !of.siteAdsEnabled && "the ads of its site are off",
    publisher && publisher.status !== "active" && `its publisher is ${publisher.status}`,
    publisher && !publisher.adsEnabled && "the ads of its publisher are off",
  ].filter(Boolean);
  if (why.length === 0) return null;
  return (
    <p class="note warn">
      This placement shows no offers: {why.join(", and ")}.{" "}
      {(of.siteStatus !== "active" || !of.siteAdsEnabled) && <a href={`/console/sites/${of.siteId}`}>Go to its site</a>}{" "}
      {isOff && <a href={isOwn ? "/console/account" : `/console/publishers/${of.publisherId}`}>Go to its publisher</a>}
    </p>
  );
};

const Snippet = ({ of }: { of: PlacementEntry }): JSX.Element => {
  const isOwn = useWho().kind === "publisher";
  const { data, error, reload } = useRead("listPublicKeys", of.publisherId);
  const key = data?.[0]?.key;
  const lines = key === undefined ? null : snippetOf(location.origin, key, of.id);
  return (
    <Card title="On the shop’s page" actions={lines !== null && <Copy text={lines} what="Copy the lines" />}>
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={6} />}
      {data?.length === 0 && (
        <p class="muted">
          No key is valid, so there are no lines to paste. Create a key{" "}
          <a href={isOwn ? "/console/account" : `/console/publishers/${of.publisherId}`}>at its publisher</a>.
        </p>
      )}
      {lines !== null && (
        <div class="stack tight">
          <p class="muted small">
            Paste these lines where offers are to appear, and put the order’s own id and e-mail into them.
          </p>
          <pre tabIndex={0}>
            <code>{lines}</code>
          </pre>
        </div>
      )}
    </Card>
  );
};

const Facts = ({ of }: { of: PlacementEntry }): JSX.Element => (
  <dl class="facts">
    <dt>Site</dt>
    <dd>
      <a href={`/console/sites/${of.siteId}`} dir="auto">
        {of.siteName}
      </a>
    </dd>
    <dt>Page</dt>
    <dd>{words(of.pageType)}</dd>
    <dt>Mode</dt>
    <dd>
      <Badge tone={of.isLiveMode ? "good" : "none"}>{of.isLiveMode ? "Live" : "Test"}</Badge>
      {!of.isLiveMode && <span class="under">Shows samples, and counts nothing.</span>}
    </dd>
    <IdAndSince of={of} />
  </dl>
);

/** Shows one placement. */
export const Placement = (): JSX.Element => {
  const id = useRoute().params["id"] ?? "";
  const who = useWho();
  const goTo = useGoTo();
  const read = useRead("listPlacementDirectory", { id });
  const { data, reload } = read;
  const opened = useOpened(reload);
  const placement = data?.find((row) => row.id === id);
  if (!placement) return <Unread what="placement" crumbs={CRUMBS} read={read} />;
  return (
    <Page
      title={placement.name}
      crumbs={CRUMBS}
      read={read}
      actions={
        <>
          {mayOwn(who) && (
            <a class="button" href={`/console/explain?placementId=${id}`}>
              Why these offers
            </a>
          )}
          {who.kind === "publisher" && (
            <a class="button" href={`/console/placements/${id}/looks`}>
              How offers look
            </a>
          )}
          {mayChange(who) && <EditDelete open={opened.open} />}
        </>
      }
    >
      <Silent of={placement} />
      <Figures
        filter={{ placementId: id }}
        empty={
          placement.isLiveMode
            ? "Figures appear as soon as the shop’s page asks for offers."
            : "In test mode, samples are shown and nothing is counted. When the page is ready, set the mode to live under “Edit”."
        }
      />
      <div class="columns">
        <div class="stack">
          <Card title="Switch">
            <Switches
              of={{
                set: async (to, reason) => "status" in to && api.updatePlacementStatus(id, { ...to, ...reason }),
                show: (to) => read.put([{ ...placement, ...to }]),
                putBack: () => read.put([placement]),
                what: "placement",
                name: placement.name,
                status: placement.status,
              }}
              mayWrite={mayChange(who)}
              onChanged={reload}
            />
          </Card>
          <Card title="About">
            <Facts of={placement} />
          </Card>
        </div>
        <div class="stack">
          <Snippet of={placement} />
          <History resource="placement" id={id} version={`${placement.updatedAt} ${placement.status}`} />
        </div>
      </div>
      {opened.name === "edit" && <EditPlacement id={id} onClose={opened.close} onSaved={opened.saved} />}
      {opened.name === "delete" && (
        <Confirm
          title="Delete this placement?"
          action="Delete for good"
          name={placement.name}
          work={() => api.deletePlacement(id)}
          onClose={opened.close}
          onDone={() => {
            say("The placement was deleted.");
            goTo("/console/placements");
          }}
        >
          <p>
            The page that shows it no longer gets offers. What was counted and earned stays in reports, with only the
            id. This cannot be undone.
          </p>
        </Confirm>
      )}
    </Page>
  );
};
