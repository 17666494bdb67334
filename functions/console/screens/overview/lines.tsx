import type { OverviewAttention, OverviewNoticed } from "#client";
import type { ComponentChildren, JSX } from "preact";
import { count } from "../../core/format.ts";
import { Badge } from "../../parts/bits.tsx";

/** Shows what needs attention, and leads to where it can be fixed. */
export const Line = ({
  tone,
  what,
  children,
  href,
  action,
}: {
  tone: "warn" | "bad";
  what: string;
  children: ComponentChildren;
  href: string;
  action: string;
}): JSX.Element => (
  <li>
    <span class="grow">
      <Badge tone={tone}>{what}</Badge>
      <span class="under">{children}</span>
    </span>
    <a class="button little" href={href}>
      {action}
    </a>
  </li>
);

/** Leads to an offer's caps, to the offer, or to why nobody sees it. */
const LEADS = {
  caps: { to: (id: string) => `/console/offers/${id}#caps`, action: "See its caps" },
  offer: { to: (id: string) => `/console/offers/${id}`, action: "See the offer" },
  explain: { to: (id: string) => `/console/explain?offerId=${id}`, action: "See why" },
};

/** Shows some offers with the same problem, and how many more there are. */
export const OfferLines = ({
  of,
  what,
  lead,
  say,
}: {
  of: OverviewAttention;
  what: string;
  lead: keyof typeof LEADS;
  say: (offer: OverviewNoticed) => ComponentChildren;
}) => (
  <>
    {of.offers.map((offer) => (
      <Line key={offer.id} tone="warn" what={what} href={LEADS[lead].to(offer.id)} action={LEADS[lead].action}>
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
