import { idSuffix } from "../../db/core/ids.ts";
import { keyedHash } from "../core/keyed-hash.ts";
import type { TrackedOffer } from "./tracking-token.ts";

/** Returns the id that an advertiser's server sends back with a conversion: it names one offer of one decision. */
export const clickId = (offer: Pick<TrackedOffer, "decisionId" | "offerId">): string =>
  `${idSuffix(offer.decisionId)}-${idSuffix(offer.offerId)}`;

/** Lists the macros that are filled in a destination (API.md, "Macros"). */
export const MACROS = ["{click_id}", "{session_id}", "{placement_id}", "{site_id}", "{offer_id}", "{country}"] as const;

/** Lists what is in braces in a destination but is not a macro, each once. */
export const unknownMacros = (destination: string): string[] => {
  const inBraces = destination.split("{").map((part) => `{${part.slice(0, part.indexOf("}") + 1)}`);
  const closed = inBraces.slice(1).filter((macro) => macro.endsWith("}"));
  return [...new Set(closed)].filter((macro) => !(MACROS as readonly string[]).includes(macro));
};

/** Lists the macros in a destination that nothing would replace, because their braces are percent-encoded, each once. */
export const encodedMacros = (destination: string): string[] => {
  const inBraces = destination.matchAll(/(?:%7[Bb]|\{)([a-z_]{1,20})(?:%7[Dd]|\})/g);
  const known = [...inBraces].filter(([, name]) => (MACROS as readonly string[]).includes(`{${name}}`));
  return [...new Set(known.map(([macro]) => macro))].filter((macro) => macro.includes("%"));
};

/** Holds what macros need besides the offer: `advertiserSerial` names its advertiser, `sessionKey` is `SESSION_KEY`. */
type Around = { siteId: string; advertiserSerial: number; sessionKey: string };

/**
 * Returns what an advertiser sees in place of a session: the same text for all its offers, and different ones for other
 * advertisers, so that two of them cannot find out that they had the same customer.
 */
const sessionFor = (sessionHash: string, { advertiserSerial, sessionKey }: Around): string =>
  keyedHash(sessionKey, `advertiser:${advertiserSerial}:${sessionHash}`);

/** Returns an offer's destination with its macros filled in, URL-encoded. An unknown macro stays as it is. */
export const fillMacros = (destination: string, offer: TrackedOffer, around: Around): string => {
  const values: Record<(typeof MACROS)[number], string> = {
    "{click_id}": clickId(offer),
    "{session_id}": offer.sessionHash === null ? "" : sessionFor(offer.sessionHash, around),
    "{placement_id}": offer.placementId,
    "{site_id}": around.siteId,
    "{offer_id}": offer.offerId,
    "{country}": offer.country,
  };
  const filled = new Map<string, string>(Object.entries(values));
  return destination.replaceAll(/\{[a-z_]{1,20}\}/g, (macro) => {
    const value = filled.get(macro);
    return value === undefined ? macro : encodeURIComponent(value);
  });
};

/**
 * Returns the address of a shop from its domain, which may be written as an address; null for what is not a public
 * host.
 */
export const shopOf = (domain: string | null): string | null => {
  if (domain === null) return null;
  const address = /^https?:\/\//i.test(domain) ? domain : `https://${domain}`;
  if (!URL.canParse(address)) return null;
  const { protocol, host, hostname, username, password } = new URL(address);
  return hostname.includes(".") && username + password === "" ? `${protocol}//${host}/` : null;
};
