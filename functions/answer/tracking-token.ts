import { xorBase64Url } from "../../db/core/encoding.ts";
import { idSuffix, idTime, withPrefix } from "../../db/core/ids.ts";
import type { RingKey } from "../../db/core/secrets/secrets.ts";
import { keyedHash, keyedHashes } from "../core/keyed-hash.ts";
import { DAY_MS } from "../../db/core/time.ts";
import { CLICK_DAYS } from "../../db/tracking/click-days.ts";

/**
 * Holds what an answer's tracking URLs have in common. Hashes come from keyed-hash.ts, and are null where nothing may
 * be kept; `arm` names the arm of the experiment that the decision belongs to, one letter or digit.
 */
export type SealedDecision = {
  decisionId: string;
  placementId: string;
  country: string;
  isTest: boolean;
  arm: string;
  sessionHash: string | null;
  emailHash: string | null;
};

/**
 * Names an offer as it was when it was shown: a change of price or destination makes a new revision. `creative` is the
 * number of the creative that was shown, if the offer has several.
 */
export type ShownOffer = { id: string; revision: number; creative?: number };

/**
 * Holds what a token says: one offer of a decision. `creative` is 0 if the offer had only one; `place` is the offer's
 * place in the answer, 0 for the first; `issuedAt` is in milliseconds.
 */
export type TrackedOffer = SealedDecision & {
  offerId: string;
  revision: number;
  creative: number;
  place: number;
  issuedAt: number;
};

type Ring = readonly RingKey[];

const LIFETIMES_MS = { impression: DAY_MS, viewable: DAY_MS, close: DAY_MS, click: CLICK_DAYS * DAY_MS };

/**
 * Names the form of a token. A new form gets a new digit, so that both can be read while tokens of both exist: in those
 * of version 1, hashes are not masked.
 */
const VERSION = "2";
const VERSIONS = `[1${VERSION}]`;

const HASH = "(?:[A-Za-z0-9_-]{22})?";
const SUFFIX = "[0-7][0-9a-hjkmnp-tv-z]{25}";
const TAG_LENGTH = 8;
const TAG = `[A-Za-z0-9_-]{${TAG_LENGTH}}`;
const TAGS = new RegExp(TAG, "g");
const REVISION_BASE = 36;
const REVISION = "[1-9a-z][0-9a-z]{0,5}";
const CREATIVE = "[1-9][0-9]{0,2}";
const TOKEN = new RegExp(
  `^((${VERSIONS})([A-Za-z0-9_-]{1,16})\\.([LT])([0-9A-Za-z])([A-Z0-9]{2})(${SUFFIX})(${SUFFIX})\\.(${HASH})\\.(${HASH})\\.((?:${TAG})+))` +
    `\\.([A-Za-z0-9_-]{22})\\.(${SUFFIX})(${REVISION})(?:-(${CREATIVE}))?$`,
);

/**
 * Makes the tag of an offer in a seal: 48 bits of a keyed hash of its id, revision and creative, so that nobody can
 * search for another offer with the same tag.
 */
const tagOf = (key: RingKey, offerSuffix: string, revision: number, creative: number): string =>
  keyedHash(key.secret, `offer:${offerSuffix}:${revision}${creative > 0 ? `:${creative}` : ""}`).slice(0, TAG_LENGTH);

type Hashes = Pick<SealedDecision, "sessionHash" | "emailHash">;

/**
 * Masks a customer's hashes by a keyed hash of the decision, and unmasks them. If a hash were the same in every answer,
 * whoever may ask for offers could find out whether a guessed e-mail address belongs to another answer.
 */
const masked = (key: RingKey, decision: string, { sessionHash, emailHash }: Hashes): Hashes => {
  if (!sessionHash && !emailHash) return { sessionHash: null, emailHash: null };
  const [first, second] = keyedHashes(key.secret, `mask:${decision}`);
  return {
    sessionHash: sessionHash && xorBase64Url(sessionHash, first),
    emailHash: emailHash && xorBase64Url(emailHash, second),
  };
};

type Tag = { revision: number; tag: string };

const REMEMBERED_TAGS = 5_000;
const tags = new WeakMap<RingKey, Map<string, Tag>>();

/** Returns the tags made with a key, by {@link tagName}. Offers are few and have one revision at a time. */
const rememberedTags = (key: RingKey): Map<string, Tag> => {
  let remembered = tags.get(key);
  if (!remembered) tags.set(key, (remembered = new Map<string, Tag>()));
  if (remembered.size >= REMEMBERED_TAGS) remembered.clear();
  return remembered;
};

/** Names the tag of an offer, and of each of its creatives where it has several. */
const tagName = (id: string, creative: number): string => (creative > 0 ? `${id}-${creative}` : id);

/**
 * Signs a decision with all its offers at once (HMAC-SHA-256, 128 bits): a signature for each offer would cost several
 * times as much. The text is as short as can be, because every answer's cost depends on its length.
 *
 * @param ring keys of `TRACKING_KEYS`; the first signs
 * @returns the seal that {@link tokenOf} makes tokens of
 */
export const sealDecision = (ring: Ring, decision: SealedDecision, offers: readonly ShownOffer[]): string => {
  const [signer] = ring;
  if (!signer) throw new Error("no key signs tracking URLs");
  const { placementId, country, isTest, arm } = decision;
  const suffix = idSuffix(decision.decisionId);
  const { sessionHash, emailHash } = masked(signer, suffix, decision);
  let head = `${VERSION}${signer.id}.${isTest ? "T" : "L"}${arm}${country}${suffix}${idSuffix(placementId)}.`;
  head += `${sessionHash ?? ""}.${emailHash ?? ""}.`;
  const remembered = rememberedTags(signer);
  for (const { id, revision, creative = 0 } of offers) {
    const name = tagName(id, creative);
    let made = remembered.get(name);
    if (made?.revision !== revision) {
      remembered.set(name, (made = { revision, tag: tagOf(signer, idSuffix(id), revision, creative) }));
    }
    head += made.tag;
  }
  return `${head}.${keyedHash(signer.secret, head)}`;
};

/** Returns the tracking token of one offer of a sealed decision, made of URL-safe characters. */
export const tokenOf = (seal: string, { id, revision, creative = 0 }: ShownOffer): string =>
  `${seal}.${idSuffix(id)}${revision.toString(REVISION_BASE)}${creative > 0 ? `-${creative}` : ""}`;

const equal = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

/** Limits the length of a token: one with the longest key id and 20 offers has fewer than 350 characters. */
const MAX_TOKEN = 512;

/** Reads a token that {@link tokenOf} made, however old; null for anything else. */
export const openToken = (ring: Ring, token: string): TrackedOffer | null => {
  if (token.length > MAX_TOKEN) return null;
  const [
    ,
    head = "",
    version,
    keyId,
    mode,
    arm = "",
    country = "",
    decision = "",
    placement = "",
    session = "",
    email = "",
    listed = "",
    signature = "",
    offer = "",
    revisionText = "",
    creativeText = "0",
  ] = TOKEN.exec(token) ?? [];
  const key = ring.find((candidate) => candidate.id === keyId);
  if (!key || !equal(keyedHash(key.secret, head), signature)) return null;
  const decisionId = withPrefix("decision", decision);
  const offerId = withPrefix("offer", offer);
  const revision = Number.parseInt(revisionText, REVISION_BASE);
  const creative = Number(creativeText);
  const made = rememberedTags(key).get(tagName(offerId, creative));
  const tag = made?.revision === revision ? made.tag : tagOf(key, offer, revision, creative);
  const place = listed.match(TAGS)?.indexOf(tag) ?? -1;
  if (place === -1) return null;
  const hashes = { sessionHash: session || null, emailHash: email || null };
  return {
    decisionId,
    placementId: withPrefix("placement", placement),
    offerId,
    revision,
    creative,
    place,
    country,
    arm,
    isTest: mode === "T",
    ...(version === VERSION ? masked(key, decision, hashes) : hashes),
    issuedAt: idTime(decisionId),
  };
};

/** Tells whether a token is too old for an event: 24 hours for impressions and closes, 30 days for clicks. */
export const isExpired = (kind: keyof typeof LIFETIMES_MS, issuedAt: number, now: number): boolean =>
  now - issuedAt > LIFETIMES_MS[kind];
