import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import type { Principal } from "../../api/session.ts";
import { addressOf, readFilters } from "../../core/filters.ts";

const TABS = [
  ["/console/reports", "Counts and money"],
  ["/console/reports/learning", "What learning earned"],
] as const;

/** Names the parameters that both kinds know. */
const SHARED = ["from", "to", "publisherId"] as const;

/** Links the kinds of reports with each other, for the same days and publisher. */
export const Tabs = (): JSX.Element => {
  const { path, query } = useLocation();
  const kept = readFilters(query, SHARED);
  return (
    <nav class="row" aria-label="Kinds of reports">
      {TABS.map(([href, text]) => (
        <a
          key={href}
          class="button little"
          href={addressOf(href, kept)}
          aria-current={path === href ? "page" : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
};

const missingOf = ({ revenueAccess, grossAccess }: Principal): string | null => {
  if (revenueAccess) return grossAccess ? null : "what advertisers owe";
  return grossAccess ? "revenue" : "money: neither revenue nor what advertisers owe";
};

/** Says which money a token may not see, so that nobody takes it for zero. */
export const MoneyNote = ({ who }: { who: Principal }): JSX.Element | null => {
  const missing = missingOf(who);
  return missing === null ? null : (
    <p class="note small">
      Your token does not show {missing}. That does not mean zero: a token that shows it comes from your platform, or
      from a token of yours that already shows it.
    </p>
  );
};
