import { idSuffix, idTime, withPrefix } from "../../db/core/ids.ts";
import type { RingKey } from "../../db/core/secrets.ts";
import { remembering } from "../core/remember.ts";
import { keyedHash } from "../core/keyed-hash.ts";
import { DAY_MS } from "../core/time.ts";

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

const LIFETIMES_MS = { impression: DAY_MS, viewable: DAY_MS, close: DAY_MS, click: 30 * DAY_MS };

const HASH = "(?:[A-Za-z0-9_-]{22})?";
const SUFFIX = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const TAG_LENGTH = 8;
const TAG = `[A-Za-z0-9_-]{${TAG_LENGTH}}`;
const TAGS = new RegExp(TAG, "g");
const TOKEN = new RegExp(
  `^(([A-Za-z0-9_-]{1,16})\\.([LT])([A-Z0-9]{2})(${SUFFIX})(${SUFFIX})\\.(${HASH})\\.(${HASH})\\.((?:${TAG})+))` +
    `\\.([A-Za-z0-9_-]{22})\\.(${SUFFIX})$`,
);

const REMEMBERED_TAGS = 5_000;
const tags = new WeakMap<RingKey, (offerSuffix: string) => string>();

/**
 * What stands for an offer in a seal: 48 bits of a keyed hash, so that nobody can look for another id that has the same.
 * Offers are few, so their tags are remembered.
 */
const tagOf = (key: RingKey, offerSuffix: string): string => {
  let tagged = tags.get(key);
  if (!tagged) {
    tagged = remembering(REMEMBERED_TAGS, (suffix) => keyedHash(key.secret, `offer:${suffix}`).slice(0, TAG_LENGTH));
    tags.set(key, tagged);
  }
  return tagged(offerSuffix);
};

/**
 * Signs a decision with all its offers at once (HMAC-SHA-256, 128 bits): a signature for each offer would cost several
 * times as much. The text is as short as can be, because every answer's cost depends on its length.
 *
 * @param ring keys of `TRACKING_KEYS`; the first signs
 * @returns the seal that {@link tokenOf} makes tokens of
 */
export const sealDecision = (ring: Ring, decision: SealedDecision, offerIds: readonly string[]): string => {
  const [signer] = ring;
  if (!signer) throw new Error("no key signs tracking URLs");
  const { decisionId, placementId, country, isTest, sessionHash, emailHash } = decision;
  let head = `${signer.id}.${isTest ? "T" : "L"}${country}${idSuffix(decisionId)}${idSuffix(placementId)}.`;
  head += `${sessionHash ?? ""}.${emailHash ?? ""}.`;
  for (const id of offerIds) head += tagOf(signer, idSuffix(id));
  return `${head}.${keyedHash(signer.secret, head)}`;
};

/** The tracking token of one offer of a sealed decision, made of URL-safe characters. */
export const tokenOf = (seal: string, offerId: string): string => `${seal}.${idSuffix(offerId)}`;

const equal = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

/** Reads a token that {@link tokenOf} made, however old; null for anything else. */
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
  if (!listed.match(TAGS)?.includes(tagOf(key, offer))) return null;
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
