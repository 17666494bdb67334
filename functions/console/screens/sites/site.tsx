import type { SiteEntry } from "#client";
import type { JSX } from "preact";
import { useRoute } from "preact-iso/router";
import { useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useAnew, useRead } from "../../api/use.ts";
import { mayChange, useWho } from "../../api/who.ts";
import { Confirm } from "../../blocks/changing/confirm.tsx";
import { Figures } from "../../blocks/figures/figures.tsx";
import { History } from "../../blocks/history.tsx";
import { Latest } from "../../blocks/listing/latest.tsx";
import { EditDelete, useOpened } from "../../blocks/opened.tsx";
import { Switches } from "../../blocks/changing/switches.tsx";
import { count, plural, words } from "../../core/format.ts";
import { Badge, Bones, IdAndSince, Status } from "../../parts/bits.tsx";
import { useGoTo } from "../../parts/moving/go-to.ts";
import { Card, Page, Unread } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useUndone } from "../../parts/undone.ts";
import { say } from "../../parts/toasts.tsx";
import { NewPlacement } from "../placements/edit-placement.tsx";
import { EditSite } from "./edit-site.tsx";

const CRUMBS = [{ href: "/console/sites", text: "Sites" }];

/** Asks before a site is deleted. Its placements go with it, and have to be inactive. */
const DeleteSite = ({ site, onClose }: { site: SiteEntry; onClose: () => void }): JSX.Element => {
  const goTo = useGoTo();
  return (
    <Confirm
      title="Delete this site?"
      action="Delete for good"
      name={site.name}
      work={() => api.deleteSite(site.id)}
      onClose={onClose}
      onDone={() => {
        say("The site was deleted.");
        goTo("/console/sites");
      }}
    >
      <p>
        Its {plural(site.placements, "placement")} and its history are deleted with it. What was counted and earned
        stays in reports, with only the id. This cannot be undone.
      </p>
      {site.activePlacements > 0 && (
        <p class="note warn">
          {count(site.activePlacements)} of its placements {site.activePlacements === 1 ? "is" : "are"} active. Switch
          off what is active first; until then it cannot be deleted.
        </p>
      )}
    </Confirm>
  );
};

const Facts = ({ site }: { site: SiteEntry }): JSX.Element => {
  const who = useWho();
  const { data: detail, reload } = useRead(who.kind === "publisher" ? "getSite" : null, site.id);
  useAnew(site.updatedAt, reload);
  return (
    <dl class="facts">
      <dt>Domain</dt>
      <dd>{site.domain || <span class="muted">Not set</span>}</dd>
      {detail && (
        <>
          <dt>Sells</dt>
          <dd>{detail.category?.name ?? <span class="muted">Not set</span>}</dd>
        </>
      )}
      {who.kind !== "publisher" && (
        <>
          <dt>Publisher</dt>
          <dd>
            <a href={`/console/publishers/${site.publisherId}`} dir="auto">
              {site.publisherName}
            </a>
          </dd>
        </>
      )}
      <IdAndSince of={site} />
    </dl>
  );
};

/** Shows the placements of a site. */
const PlacementsOf = ({ siteId }: { siteId: string }): JSX.Element => {
  const may = mayChange(useWho());
  const goTo = useGoTo();
  const [isNew, setNew] = useState(false);
  const { data, error, pagination, reload } = useRead("listPlacementDirectory", { siteId, take: 10 });
  useUndone(reload);
  return (
    <Card
      title="Placements"
      actions={
        <>
          <a href={`/console/placements?siteId=${siteId}`}>Show all</a>
          {may && (
            <button type="button" class="button little" onClick={() => setNew(true)}>
              New placement
            </button>
          )}
        </>
      }
    >
      {error && <ProblemNote of={error} retry={reload} />}
      {!data && !error && <Bones lines={2} />}
      {data?.length === 0 && <p class="muted">This site has no placement yet, so it shows no offers anywhere.</p>}
      <ul class="lines">
        {data?.map(({ id, name, pageType, isLiveMode, status }) => (
          <li key={id}>
            <span class="grow">
              <a href={`/console/placements/${id}`} dir="auto">
                {name}
              </a>
              <span class="under">{words(pageType)}</span>
            </span>
            <span class="row">
              {!isLiveMode && <Badge>Test</Badge>}
              <Status of={status} />
            </span>
          </li>
        ))}
      </ul>
      <Latest of={pagination} />
      {isNew && (
        <NewPlacement
          siteId={siteId}
          onClose={() => setNew(false)}
          onSaved={(id) => goTo(`/console/placements/${id}`)}
        />
      )}
    </Card>
  );
};

/** Shows one site. */
export const Site = (): JSX.Element => {
  const id = useRoute().params["id"] ?? "";
  const who = useWho();
  const read = useRead("listSiteDirectory", { id });
  const { data, reload } = read;
  const opened = useOpened(reload);
  const site = data?.find((row) => row.id === id);
  if (!site) return <Unread what="site" crumbs={CRUMBS} read={read} />;
  return (
    <Page title={site.name} crumbs={CRUMBS} read={read} actions={mayChange(who) && <EditDelete open={opened.open} />}>
      <Figures filter={{ siteId: id }} empty="Figures appear as soon as a page of this site asks for offers." />
      <div class="columns">
        <div class="stack">
          <Card title="Switches">
            <Switches
              of={{
                set: (to, reason) =>
                  "status" in to
                    ? api.updateSiteStatus(id, { ...to, ...reason })
                    : api.updateSiteAds(id, { ...to, ...reason }),
                show: (to) => read.put([{ ...site, ...to }]),
                putBack: () => read.put([site]),
                what: "site",
                name: site.name,
                status: site.status,
                ads: site.adsEnabled,
              }}
              mayWrite={mayChange(who)}
              onChanged={reload}
            />
          </Card>
          <Card title="About">
            <Facts site={site} />
          </Card>
        </div>
        <div class="stack">
          <PlacementsOf siteId={id} />
          <History resource="site" id={id} version={`${site.updatedAt} ${site.status} ${site.adsEnabled}`} />
        </div>
      </div>
      {opened.name === "edit" && <EditSite id={id} onClose={opened.close} onSaved={opened.saved} />}
      {opened.name === "delete" && <DeleteSite site={site} onClose={opened.close} />}
    </Page>
  );
};
