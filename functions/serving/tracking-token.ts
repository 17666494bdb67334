import { idSuffix, idTime, withPrefix } from "../../db/ids.ts";
import { parseKeyRing, type RingKey } from "../../db/secrets.ts";
import { keyedHash } from "./keyed-hash.ts";

/** What an answer's tracking URLs have in common. Hashes are those of keyed-hash.ts, null where nothing may be kept. */
export type SealedDecision = {
  decisionId: string;
  placementId: string;
  country: string;
  isTest: boolean;
  sessionHash: string | null;
  emailHash: string | null;
};

/** What a token says: one offer of a decision. `issuedAt` is in milliseconds. */
export type TrackedOffer = SealedDecision & { offerId: string; issuedAt: number };

type Ring = readonly RingKey[];

let known: { setting: string; ring: Ring } | null = null;

/** The keys of the setting `TRACKING_KEYS`, read once as long as it stays the same. */
export const trackingRing = (setting: string): Ring => {
  if (known?.setting !== setting) known = { setting, ring: parseKeyRing(setting) };
  return known.ring;
};

const DAY_MS = 86_400_000;
const LIFETIMES_MS = { impression: DAY_MS, viewable: DAY_MS, close: DAY_MS, click: 30 * DAY_MS };

const HASH = "(?:[A-Za-z0-9_-]{22})?";
const SUFFIX = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const SUFFIXES = new RegExp(SUFFIX, "g");
const TOKEN = new RegExp(
  `^(([A-Za-z0-9_-]{1,16})\\.([LT])\\.([A-Z0-9]{2})\\.(${SUFFIX})\\.(${SUFFIX})\\.(${HASH})\\.(${HASH})\\.((?:${SUFFIX})+))` +
    `\\.([A-Za-z0-9_-]{22})\\.(${SUFFIX})$`,
);

/**
 * Signs a decision with the ids of all its offers at once (HMAC-SHA-256, 128 bits). A signature for each offer would
 * cost several times as much, and anything shorter than the ids would let other ids pass for them.
 *
 * @param ring keys of `TRACKING_KEYS`; the first signs
 * @returns a function from an offer's id to its token, made of URL-safe characters
 */
export const sealDecision = (
  ring: Ring,
  decision: SealedDecision,
  offerIds: readonly string[],
): ((offerId: string) => string) => {
  const [signer] = ring;
  if (!signer) throw new Error("no key signs tracking URLs");
  const head = [
    signer.id,
    decision.isTest ? "T" : "L",
    decision.country,
    idSuffix(decision.decisionId),
    idSuffix(decision.placementId),
    decision.sessionHash ?? "",
    decision.emailHash ?? "",
    offerIds.map(idSuffix).join(""),
  ].join(".");
  const sealed = `${head}.${keyedHash(signer.secret, head)}`;
  return (offerId) => `${sealed}.${idSuffix(offerId)}`;
};

const equal = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

/** Reads a token that {@link sealDecision} made, however old; null for anything else. */
export const openToken = (ring: Ring, token: string): TrackedOffer | null => {
  const [
    ,
    head = "",
    keyId,
    mode,
    country = "",
    decision = "",
    placement = "",
    session,
    email,
    listed = "",
    signature = "",
    offer = "",
  ] = TOKEN.exec(token) ?? [];
  const key = ring.find((candidate) => candidate.id === keyId);
  if (!key || !equal(keyedHash(key.secret, head), signature)) return null;
  if (!listed.match(SUFFIXES)?.includes(offer)) return null;
  const decisionId = withPrefix("decision", decision);
  return {
    decisionId,
    placementId: withPrefix("placement", placement),
    offerId: withPrefix("offer", offer),
    country,
    isTest: mode === "T",
    sessionHash: session || null,
    emailHash: email || null,
    issuedAt: idTime(decisionId),
  };
};

/** Whether a token is too old for an event: 24 hours for impressions and closes, 30 days for clicks. */
export const isExpired = (kind: keyof typeof LIFETIMES_MS, issuedAt: number, now: number): boolean =>
  now - issuedAt > LIFETIMES_MS[kind];
