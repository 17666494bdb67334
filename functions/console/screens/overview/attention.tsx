import type { ListSiteDirectoryParameters, Overview, OverviewAttention, OverviewNoticed } from "#client";
import type { ComponentChildren, JSX } from "preact";
import { readHealth, type Health } from "../../api/health.ts";
import { useRead } from "../../api/use.ts";
import { useWho } from "../../api/who.ts";
import { useEffect, useState } from "preact/hooks";
import { ago, count, percent, words } from "../../core/format.ts";
import { Badge, Bones, Gauge } from "../../parts/bits.tsx";
import { Card } from "../../parts/page.tsx";

const Line = ({
  tone,
  what,
  children,
  href,
  action,
}: {
  tone: "warn" | "bad";
  what: string;
  children: ComponentChildren;
  /** Leads to where it is mended; left out where nothing has to be done. */
  href?: string;
  action?: string;
}): JSX.Element => (
  <li>
    <span class="grow">
      <Badge tone={tone}>{what}</Badge>
      <span class="under">{children}</span>
    </span>
    {href && (
      <a class="button little" href={href}>
        {action}
      </a>
    )}
  </li>
);

const MENDED: Record<string, string> = {
  publisher_inactive: "/console/publishers?status=inactive",
  publisher_ads_disabled: "/console/publishers?adsEnabled=false",
  site_not_active: "/console/sites?status=inactive",
  site_ads_disabled: "/console/sites?adsEnabled=false",
  placement_inactive: "/console/placements?status=inactive",
};

/** Names where an empty answer's reason is mended: offers by those who run them, a publisher's own switches by its account. */
const mendedAt = (reason: string, kind: string): string => {
  if (reason.startsWith("publisher") && kind === "publisher") return "/console/account";
  return MENDED[reason] ?? (kind === "publisher" ? "/console/placements" : "/console/offers");
};

const OfferLines = ({
  of,
  what,
  say,
}: {
  of: OverviewAttention;
  what: string;
  say: (offer: OverviewNoticed) => ComponentChildren;
}) => (
  <>
    {of.offers.map((offer) => (
      <Line key={offer.id} tone="warn" what={what} href={`/console/offers/${offer.id}`} action="Look at it">
        <span dir="auto">{offer.name}</span> · {say(offer)}
      </Line>
    ))}
    {of.total > of.offers.length && (
      <li>
        <span class="muted small">
          and {count(of.total - of.offers.length)} more: {what.toLowerCase()}
        </span>
        <a class="button little" href="/console/offers?status=active">
          Go to offers
        </a>
      </li>
    )}
  </>
);

/** Counts what a list of the API has. */
const useTotal = (name: "listSiteDirectory" | "listRejects", query: ListSiteDirectoryParameters = {}): number =>
  useRead(name, { ...query, take: 1 }).pagination?.total ?? 0;

const plural = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? "" : "s"}`;

/** Says for how many seconds a change may wait to be published before it is told. */
const LATE_S = 120;

/** Reads how far publishing and storing are behind, for the administrator. */
const useHealth = (isAdmin: boolean): Health | null => {
  const [health, setHealth] = useState<Health | null>(null);
  useEffect(() => {
    if (!isAdmin) return undefined;
    const over = new AbortController();
    // Where nothing is known of it, what else is there is told all the same.
    readHealth(over.signal).then(setHealth, () => undefined);
    return () => over.abort();
  }, [isAdmin]);
  return health;
};

/** Shows what needs attention, each with a link to where it is mended. */
export const Attention = ({ found }: { found: Overview | null }): JSX.Element => {
  const { kind } = useWho();
  const inactive = useTotal("listSiteDirectory", { status: "inactive" });
  const pending = useTotal("listSiteDirectory", { status: "pending" });
  const adsOff = useTotal("listSiteDirectory", { adsEnabled: false });
  const rejects = useTotal("listRejects");
  const health = useHealth(kind === "admin");
  const late = (health?.outboxAgeSeconds ?? 0) > LATE_S ? 1 : 0;
  const waiting = health?.deadLetters ?? 0;
  const empty = found?.emptyAnswers ?? [];
  const all = empty.reduce((sum, { requests }) => sum + requests, 0);
  const isCalm =
    found !== null &&
    inactive + pending + adsOff + rejects + all + late + waiting === 0 &&
    found.nearCap.total + found.ended.total + found.neverShown.total === 0;
  return (
    <Card title="What needs attention">
      {!found && <Bones lines={3} />}
      {isCalm && <p class="note good">Nothing needs attention: everything is on, shown and within its caps.</p>}
      <ul class="lines">
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
        {found && (
          <OfferLines
            of={found.nearCap}
            what="Near its cap"
            say={({ share }) => (
              <>
                has used {percent(share)}
                <Gauge label="Used" used={share ?? 0} of={1} />
              </>
            )}
          />
        )}
        {found && (
          <OfferLines
            of={found.ended}
            what="Ended, and still active"
            say={({ endsAt }) => endsAt && `ended ${ago(endsAt, Date.now())}`}
          />
        )}
        {found && (
          <OfferLines of={found.neverShown} what="Never shown" say={() => "is active, and nobody has seen it yet."} />
        )}
        {empty.map(({ reason, requests }) => (
          <Line
            key={reason}
            tone="warn"
            what={`Empty answers: ${words(reason).toLowerCase()}`}
            href={mendedAt(reason, kind)}
            action="Mend it"
          >
            {plural(requests, "request")} of the last seven days got no offer.
          </Line>
        ))}
        {rejects > 0 && (
          <Line tone="warn" what="Messages not understood">
            {plural(rejects, "tracking message")} of the last 30 days could not be read, and were not counted.
          </Line>
        )}
        {late > 0 && (
          <Line tone="bad" what="Publishing is late">
            A change has waited for {count(health?.outboxAgeSeconds)} seconds to be seen by pages.
          </Line>
        )}
        {waiting > 0 && (
          <Line tone="bad" what="Messages that wait">
            {plural(waiting, "message")} could not be stored yet; the service tries again each minute.
          </Line>
        )}
      </ul>
    </Card>
  );
};
