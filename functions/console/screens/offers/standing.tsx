import type { Offer } from "#client";
import type { JSX } from "preact";
import { ago } from "../../core/format.ts";
import { hindrancesOf, type Hindrance } from "../../core/offers/standing.ts";
import { Badge, Status } from "../../parts/bits.tsx";

const textOf = (hindrance: Hindrance): string => {
  if (hindrance.why === "starts") return `Starts ${ago(hindrance.at, Date.now())}`;
  if (hindrance.why === "advertiser") return `Advertiser ${hindrance.status}`;
  return hindrance.why === "ended" ? "Ended" : "Cap reached";
};

/** Shows the status of an offer, and what keeps it from being shown though it is active; then it is not green. */
export const Standing = ({ of: offer }: { of: Offer }): JSX.Element => {
  const hindrances = hindrancesOf(offer, Date.now());
  return (
    <span class="row tight">
      {offer.status === "active" && hindrances.length > 0 ? <Badge>Active</Badge> : <Status of={offer.status} />}
      {hindrances.map((hindrance) => (
        <Badge key={hindrance.why} tone="warn">
          {textOf(hindrance)}
        </Badge>
      ))}
    </span>
  );
};
