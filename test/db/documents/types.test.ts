import { expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { storedName } from "../../../functions/documents/kv.ts";
import { makeAdvertiser, makeCreative, makeInventory, makeOffer } from "../../support/factories.ts";
import { sharedHarness } from "../../support/harness.ts";

/** Names the version of the documents that have the members below. Their names in KV begin with it. */
const VERSION = "v2";

const SHOWN = `ctaText declineButtonText description destinationUrl header iconHeight iconUrl iconWidth termsUrl title`;

/**
 * Lists the members of each part of the documents. Documents in KV lack a new member, or still have an old one, until
 * they are rebuilt. So read it as optional, or raise `SCHEMA_VERSION` in functions/documents/kv.ts; then change this.
 */
const MEMBERS = {
  placement: `data factsChangedAt isLiveMode publisherId siteAdsEnabled siteId siteName siteStatus status`,
  key: `adsEnabled expiresAt holdoutPercent publisherId status`,
  candidates: `cut factsChangedAt learned offers reopensAt`,
  "candidates.learned": `places rates strengths`,
  "candidates.offers[]": `advertiserChangedAt advertiserSerial amountMax amountMin changedAt creatives currencies
    ecpmMicros endsAt id isNew languages paymentTypes pricing priority revision serial startsAt valueMicros ${SHOWN}`,
  "candidates.offers[].creatives": `others weight`,
  "candidates.offers[].creatives.others[]": `number weight ${SHOWN}`,
  network: `advertisers offers paced since tapered targeted`,
  "network.targeted": `currencies languages paymentTypes`,
};

/** Lists the members of a value, and of each part of it, by the part's path. */
const membersOf = (value: unknown, path: string): [string, string][] => {
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  const own = Object.keys(value).map((name): [string, string] => [path, name]);
  return [...own, ...Object.entries(value).flatMap(([name, member]) => membersOf(member, `${path}.${name}`))];
};

/** Lists what parts have, each member once: not all offers have those that may be left out. */
const grouped = (members: readonly (readonly [string, string])[]): Record<string, string[]> => {
  const parts: Record<string, Set<string>> = {};
  for (const [path, name] of members) (parts[path] ??= new Set()).add(name);
  return Object.fromEntries(Object.entries(parts).map(([path, names]) => [path, [...names].toSorted()]));
};

it("documents have the members that the service takes for given in those that are in KV", async () => {
  const h = await sharedHarness();
  const { publisher, site, placement } = await makeInventory(h.db);
  const advertiser = await makeAdvertiser(h.db);
  const offer = await makeOffer(h.db, advertiser.id, { includeSites: [site.id], bidMicros: 5_000_000 });
  await makeCreative(h.db, offer.id, { title: "Another" });
  const keys = [
    documentKey.placement(placement.id),
    documentKey.key(publisher.publicKey),
    documentKey.candidates(placement.id, "US"),
    "network",
  ] as const;
  const built = await buildDocuments(h.db, keys);
  const members = keys.flatMap((key) => membersOf(built.get(key)?.value, key.replace(/:.*/, "")));
  const expected = Object.entries(MEMBERS).flatMap(([path, names]) =>
    names.split(/\s+/).map((name) => [path, name] as const),
  );
  const version = storedName("network").split(":")[0];
  expect({ version, ...grouped(members) }).toEqual({ version: VERSION, ...grouped(expected) });
});
