import { eq } from "drizzle-orm";
import { judgeCaps, offersById } from "../../db/demand/caps/caps.ts";
import type { Db } from "../../db/core/client.ts";
import { demo } from "../../db/demo/network.ts";
import { newId, type Entity } from "../../db/core/ids.ts";
import { priorEcpm } from "../../db/demand/pricing.ts";
import { apiTokens, platforms, platformTokens, publicKeys, publishers } from "../../db/schema/accounts.ts";
import { offerUsage } from "../../db/schema/billing.ts";
import { advertisers, offers } from "../../db/schema/demand.ts";
import { offerCreatives } from "../../db/schema/creatives.ts";
import { placements, sites } from "../../db/schema/inventory.ts";
import { encryptSecret } from "../../db/core/secrets/sealed.ts";
import { hashSecret, makeKey, pixelKeyOf } from "../../db/core/secrets/secrets.ts";
import { SECRETS } from "./secrets.ts";

/** Holds the columns whose values differ from a factory's defaults. */
type Overrides<Table extends { $inferInsert: object }> = Partial<Table["$inferInsert"]>;

const only = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows;
  if (!row) throw new Error("nothing was inserted");
  return row;
};

/**
 * Returns an id for a row that will sort after every existing row, by its id and by its time. Waits for a millisecond
 * to pass: ids and times of one millisecond sort at random, and writing a row takes less.
 */
const laterId = (entity: Entity): string => {
  const start = performance.now();
  while (performance.now() - start < 1);
  return newId(entity);
};

/** Makes a platform with a token. */
export const makePlatform = async (db: Db, overrides: Overrides<typeof platforms> = {}) => {
  const { id = laterId("platform") } = overrides;
  const token = makeKey("platform");
  const [rows] = await db.batch([
    db
      .insert(platforms)
      .values({ name: `Platform ${id}`, ...overrides, id })
      .returning(),
    db.insert(platformTokens).values({ id: newId("token"), platformId: id, hash: await hashSecret(token) }),
  ]);
  return { ...only(rows), token };
};

/** Makes an active publisher of the demo platform, with a public key and a private key. */
export const makePublisher = async (db: Db, overrides: Overrides<typeof publishers> = {}) => {
  const { id = laterId("publisher") } = overrides;
  const publicKey = makeKey("public");
  const privateKey = makeKey("private");
  const tokenId = newId("token");
  const [rows] = await db.batch([
    db
      .insert(publishers)
      .values({
        platformId: demo.platformId,
        name: `Publisher ${id}`,
        contactName: "Toni Test",
        contactEmail: `${id}@test.example`,
        // Most tests assert what the learned order does, for any session.
        holdoutPercent: 0,
        ...overrides,
        id,
      })
      .returning(),
    db.insert(publicKeys).values({ key: publicKey, publisherId: id }),
    db.insert(apiTokens).values({
      id: tokenId,
      publisherId: id,
      name: "Default API Token",
      hash: await hashSecret(privateKey),
      bearerCiphertext: await encryptSecret(privateKey, tokenId, SECRETS.TOKEN_ENCRYPTION_KEY),
      revenueAccess: true,
      grossAccess: false,
    }),
  ]);
  return { ...only(rows), publicKey, privateKey };
};

/** Makes an active site. */
export const makeSite = async (db: Db, publisherId: string, overrides: Overrides<typeof sites> = {}) => {
  const id = laterId("site");
  const site = { id, publisherId, name: `Site ${id}`, status: "active" as const, ...overrides };
  return only(await db.insert(sites).values(site).returning());
};

/** Makes an active placement in live mode. */
export const makePlacement = async (db: Db, siteId: string, overrides: Overrides<typeof placements> = {}) => {
  const id = laterId("placement");
  const placement = { id, siteId, name: `Placement ${id}`, isLiveMode: true, ...overrides };
  return only(await db.insert(placements).values(placement).returning());
};

/** Makes a publisher with one site and one placement, where offers are shown. */
export const makeInventory = async (
  db: Db,
  overrides: {
    publisher?: Overrides<typeof publishers>;
    site?: Overrides<typeof sites>;
    placement?: Overrides<typeof placements>;
  } = {},
) => {
  const publisher = await makePublisher(db, overrides.publisher);
  const site = await makeSite(db, publisher.id, overrides.site);
  const placement = await makePlacement(db, site.id, overrides.placement);
  return { publisher, site, placement };
};

/** Makes an active advertiser of the network, with its conversion secret and pixel key. */
export const makeAdvertiser = async (db: Db, overrides: Overrides<typeof advertisers> = {}) => {
  const id = laterId("advertiser");
  const conversionSecret = makeKey("conversion");
  const advertiser = {
    id,
    name: `Advertiser ${id}`,
    reach: overrides.platformId ? ("PLATFORM" as const) : ("NETWORK" as const),
    conversionSecretHash: await hashSecret(conversionSecret),
    conversionSecretCiphertext: await encryptSecret(conversionSecret, id, SECRETS.TOKEN_ENCRYPTION_KEY),
    ...overrides,
  };
  const stored = only(await db.insert(advertisers).values(advertiser).returning());
  return { ...stored, conversionSecret, pixelKey: await pixelKeyOf(stored.conversionSecretHash) };
};

/**
 * Makes an active offer in the first tier, open to every request. The seeded offers answer the same requests after it.
 * Name a site in `includeSites` to keep the offer away from other tests' placements.
 */
export const makeOffer = async (db: Db, advertiserId: string, overrides: Overrides<typeof offers> = {}) =>
  only(
    await db
      .insert(offers)
      .values(offerRow(advertiserId, overrides, laterId("offer")))
      .returning(),
  );

/** Makes an active creative of an offer, with a text and a destination of its own. */
export const makeCreative = async (db: Db, offerId: string, overrides: Overrides<typeof offerCreatives> = {}) => {
  const id = laterId("creative");
  await db.insert(offerCreatives).values({ ...creativeBody(), id, offerId, ...overrides });
  return only(
    await db
      .select()
      .from(offerCreatives)
      .where(eq(offerCreatives.id, overrides.id ?? id)),
  );
};

/** Makes many offers at once, each as {@link makeOffer} does. */
export const makeOffers = (
  db: Db,
  advertiserId: string,
  count: number,
  overridesOf: (i: number) => Overrides<typeof offers>,
) =>
  db
    .insert(offers)
    .values(Array.from({ length: count }, (_, i) => offerRow(advertiserId, overridesOf(i))))
    .returning();

const offerRow = (advertiserId: string, overrides: Overrides<typeof offers>, id = newId("offer")) => {
  const pricing = overrides.pricing ?? "CPC";
  const bidMicros = overrides.bidMicros ?? 500_000;
  return {
    id,
    advertiserId,
    name: `Offer ${id}`,
    title: "A title",
    header: "A header",
    description: "A first line\nand a second",
    ctaText: "Yes, please",
    declineButtonText: "No, thanks",
    destinationUrl: "https://advertiser.example/landing?click={click_id}&session={session_id}",
    priority: 1,
    pricing,
    bidMicros,
    ecpmMicros: priorEcpm(pricing, bidMicros),
    ...overrides,
  };
};

/** Counts paid-for events of an offer on a UTC day towards its caps. */
export const makeUsage = (db: Db, offerId: string, day: string, used: number) =>
  db.batch([db.insert(offerUsage).values({ offerId, day, used }), judgeCaps(db, offersById([offerId]))]);

/** Returns a creative as the owner of its offer sends it: the required fields, and the given ones. */
export const creativeBody = (given: object = {}) => ({
  name: "Another",
  title: "Another title",
  header: "Another header",
  description: "Another description",
  ctaText: "Yes, the other one",
  declineButtonText: "No, not this one",
  destinationUrl: "https://advertiser.example/another?click={click_id}",
  ...given,
});

/** Returns an offer as its owner sends it: the required fields, and the given ones. */
export const offerBody = (advertiserId: string, given: object = {}) => ({
  advertiserId,
  name: "An offer",
  title: "A title",
  header: "A header",
  description: "A first line\nand a second",
  ctaText: "Yes, please",
  declineButtonText: "No, thanks",
  destinationUrl: "https://advertiser.example/landing?click={click_id}",
  pricing: "CPC",
  bidMicros: 500_000,
  ...given,
});

/** Returns a part of an offer with one member of its targeting set. */
export const targeted = (member: string, value: unknown) => ({
  targeting: { ...(member.startsWith("amount") ? { currencies: ["USD"] } : {}), [member]: value },
});

/** Returns a part of an offer with one member set; its name may begin with `targeting.` or `icon.`. */
export const withField = (field: string, value: unknown): object => {
  const [first = "", second] = field.split(".");
  if (second === undefined) return { [first]: value };
  return first === "icon"
    ? { icon: { url: "/icons/tree.svg", width: 1, height: 1, [second]: value } }
    : targeted(second, value);
};
