import type { Overview } from "#client";
import type { JSX } from "preact";
import type { Principal } from "../../api/session.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { PUBLISHING_LATE_S } from "../../core/late.ts";
import { ago, count, percent, plural, words } from "../../core/format.ts";
import { Bones, Gauge } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { isCalm, useKnown, type Known } from "./known.ts";
import { Line, OfferLines } from "./lines.tsx";

/** Maps reasons of empty answers to where the switch is turned on again. */
const MENDED: Record<string, string> = {
  publisher_inactive: "/console/publishers?status=inactive",
  publisher_ads_disabled: "/console/publishers?adsEnabled=false",
  site_not_active: "/console/sites?status=inactive",
  site_ads_disabled: "/console/sites?adsEnabled=false",
  placement_inactive: "/console/placements?status=inactive",
  test_mode: "/console/placements?isLiveMode=false",
};

/**
 * Returns the link to where an empty answer's reason can be fixed; for a publisher's own switches, its account. What no
 * switch fixes is explained, to those who may ask for that.
 */
const leadOf = (reason: string, who: Principal): { href: string; action: string } => {
  const isOwn = reason.startsWith("publisher") && who.kind === "publisher";
  const href = isOwn ? "/console/account" : MENDED[reason];
  if (href !== undefined) return { href, action: "Fix it" };
  return mayOwn(who)
    ? { href: "/console/explain", action: "See why" }
    : { href: "/console/placements", action: "See placements" };
};

/** Shows which publishers are off: a publisher sees only itself. */
const PublisherLines = ({ publishersOff, publishersAdsOff }: Known): JSX.Element => {
  const isOwn = useWho().kind === "publisher";
  const said = (n: number, own: string): string =>
    isOwn
      ? `${own}: none of your sites shows offers.`
      : `${plural(n, "publisher")} ${n === 1 ? "shows" : "show"} no offers.`;
  const lead = (query: string) =>
    isOwn
      ? { href: "/console/account", action: "Go to the switches" }
      : { href: `/console/publishers?${query}`, action: "Show them" };
  return (
    <>
      {publishersOff > 0 && (
        <Line tone="bad" what="Publishers switched off" {...lead("status=inactive")}>
          {said(publishersOff, "Your publisher is switched off")}
        </Line>
      )}
      {publishersAdsOff > 0 && (
        <Line tone="bad" what="Ads of publishers switched off" {...lead("adsEnabled=false")}>
          {said(publishersAdsOff, "Your ads are switched off")}
        </Line>
      )}
    </>
  );
};

/** Shows which sites are off, each with its list. */
const SwitchLines = ({ inactive, adsOff, pending }: Known): JSX.Element => (
  <>
    {inactive > 0 && (
      <Line tone="bad" what="Sites switched off" href="/console/sites?status=inactive" action="Show them">
        {plural(inactive, "site")} {inactive === 1 ? "shows" : "show"} no offers.
      </Line>
    )}
    {adsOff > 0 && (
      <Line tone="bad" what="Ads switched off" href="/console/sites?adsEnabled=false" action="Show them">
        {plural(adsOff, "site")} {adsOff === 1 ? "shows" : "show"} no offers.
      </Line>
    )}
    {pending > 0 && (
      <Line tone="warn" what="Sites pending" href="/console/sites?status=pending" action="Show them">
        {plural(pending, "site")} {pending === 1 ? "waits" : "wait"} to be switched on.
      </Line>
    )}
  </>
);

/** Shows what offers and empty answers ask for. */
const DemandLines = ({
  of: { nearCap, ended, neverShown, clickedLess, emptyAnswers },
}: {
  of: Overview;
}): JSX.Element => {
  const who = useWho();
  return (
    <>
      <OfferLines
        of={nearCap}
        what="Near its cap"
        lead="caps"
        say={({ share }) => (
          <>
            has used {percent(share)}
            <Gauge label="Used" used={share ?? 0} of={1} />
          </>
        )}
      />
      <OfferLines
        of={ended}
        what="Ended, and still active"
        lead="offer"
        say={({ endsAt }) => endsAt && `ended ${ago(endsAt, Date.now())}`}
      />
      <OfferLines
        of={neverShown}
        what="Never shown"
        lead="explain"
        say={() => "is active, and nobody has seen it yet."}
      />
      <OfferLines
        of={clickedLess}
        what="Clicked less"
        lead="offer"
        say={({ share }) => `got ${percent(share)} of the expected clicks for some days.`}
      />
      {emptyAnswers.map(({ reason, requests }) => (
        <Line key={reason} tone="warn" what={`Empty answers: ${words(reason).toLowerCase()}`} {...leadOf(reason, who)}>
          {plural(requests, "request")} in the last seven days got no offer.
        </Line>
      ))}
    </>
  );
};

/** Shows messages that were not counted, and what waits to be published. */
const ServiceLines = ({ rejects, health }: Known): JSX.Element => {
  const { kind } = useWho();
  const seconds = health.outboxAgeSeconds ?? 0;
  const waiting = health.deadLetters ?? 0;
  return (
    <>
      {rejects > 0 && (
        <Line
          tone="warn"
          what="Messages not understood"
          href={kind === "admin" ? "/console/operations" : "/console/messages"}
          action="See them"
        >
          {plural(rejects, "tracking message")} from the last 30 days could not be read or counted.
        </Line>
      )}
      {seconds > PUBLISHING_LATE_S && (
        <Line tone="bad" what="Publishing is late" href="/console/operations" action="See what is waiting">
          A change has been waiting for {count(seconds)} seconds to reach pages.
        </Line>
      )}
      {waiting > 0 && (
        <Line tone="bad" what="Messages waiting" href="/console/operations" action="See them">
          {plural(waiting, "message")} could not be stored yet; the service tries again each minute.
        </Line>
      )}
    </>
  );
};

const ALL_CALM = "all sites are on, all offers are shown and within their caps";

/** Says what is well: publishers are told nothing of the offers of others. */
const CALM: Record<Principal["kind"], string> = {
  admin: ALL_CALM,
  platform: ALL_CALM,
  publisher: "your sites are on, and no request of the last seven days went without an offer",
};

/**
 * Shows what needs attention, each with a link to where it can be fixed.
 *
 * @param turn changes when all of it is to be read again
 */
export const Attention = ({ found, turn }: { found: Overview | null; turn: number }): JSX.Element => {
  const { kind } = useWho();
  const known = useKnown(found, kind === "admin", turn);
  const isNew = kind === "publisher" && known?.sites === 0;
  return (
    <Card title="What needs attention">
      {!known && <Bones lines={3} />}
      {known && isNew && (
        <div class="row spread">
          <p>You have no site yet: offers are shown at a site’s placements.</p>
          <a class="button little" href="/console/sites">
            Create your first site
          </a>
        </div>
      )}
      {known && !isNew && isCalm(known) && <p class="note good">Nothing needs attention: {CALM[kind]}.</p>}
      {known?.unread && <ProblemNote of={known.unread.error} retry={known.unread.retry} />}
      {known && (
        <ul class="lines">
          <PublisherLines {...known} />
          <SwitchLines {...known} />
          <DemandLines of={known.found} />
          <ServiceLines {...known} />
        </ul>
      )}
    </Card>
  );
};
