import { describe, expect, it } from "vitest";
import { demo, demoAdvertisers, demoConversionSecret } from "../../../db/demo/network.ts";
import { demoOffers } from "../../../db/demo/offers.ts";
import { isId } from "../../../db/core/ids.ts";
import { isKey } from "../../../db/core/secrets/secrets.ts";
import { TARGETING_COLUMNS } from "../../../db/schema/targeting.ts";
import { renderIcon } from "../../../functions/storefront/icons.ts";

type Offer = (typeof demoOffers)[number];
type Request = { country: string; language: string; currency?: string; amount?: number; paymentType?: string };

const now = new Date();
const any = (values: string[] | undefined, value: string | undefined) =>
  !values?.length || (value !== undefined && values.includes(value));
const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
const status = (offer: Offer) => offer.status ?? "active";
const isRunning = (offer: Offer) =>
  status(offer) === "active" && !(offer.startsAt && offer.startsAt > now) && !(offer.endsAt && offer.endsAt <= now);
const isUntargeted = (offer: Offer) =>
  [offer.includePublishers, offer.excludePublishers, offer.includeSites, offer.excludeSites].every(
    (ids) => !ids?.length,
  ) && [offer.categoryIds, offer.ageDemographics, offer.genderDemographics].every((values) => !values?.length);
const isForOrder = (offer: Offer, request: Request) =>
  any(offer.countries, request.country) &&
  any(offer.languages, request.language) &&
  any(offer.currencies, request.currency) &&
  any(offer.paymentTypes, request.paymentType) &&
  (request.amount ?? -1) >= (offer.amountMin ?? -1) &&
  (request.amount ?? Infinity) <= (offer.amountMax ?? Infinity);

/** The offers of any publisher for a request, best tier first. */
const offersFor = (request: Request) =>
  demoOffers
    .filter((offer) => isRunning(offer) && isUntargeted(offer) && isForOrder(offer, request))
    .sort((a, b) => (a.priority ?? 5) - (b.priority ?? 5) || b.ecpmMicros - a.ecpmMicros || (a.id < b.id ? -1 : 1));

describe("demo constants", () => {
  it.each([
    ["platform", [demo.platformId]],
    ["publisher", [demo.publisherId]],
    ["token", [demo.platformTokenId, demo.privateKeyId]],
    ["site", Object.values(demo.sites)],
    ["placement", Object.values(demo.placements)],
    ["advertiser", Object.values(demo.advertisers)],
    ["offer", demoOffers.map((offer) => offer.id)],
  ] as const)("are well-formed ids of the kind %s, each used once", (entity, ids) => {
    expect(ids.filter((id) => !isId(entity, id))).toEqual([]);
    expect(new Set<string>(ids).size).toBe(ids.length);
  });

  it("are keys of the right form", async () => {
    expect(isKey("platform", demo.platformToken)).toBe(true);
    expect(isKey("public", demo.publicKey)).toBe(true);
    expect(isKey("private", demo.privateKey)).toBe(true);
    const secrets = await Promise.all(demoAdvertisers.map((advertiser) => demoConversionSecret(advertiser.id)));
    expect(secrets.every((secret) => isKey("conversion", secret))).toBe(true);
    expect(new Set(secrets).size).toBe(demoAdvertisers.length);
  });
});

describe("demo offers", () => {
  it("are at least twelve that run now, at least six of them open to all for a US, English request", () => {
    expect(demoOffers.filter(isRunning).length).toBeGreaterThanOrEqual(12);
    const open = demoOffers.filter(
      (offer) =>
        isRunning(offer) &&
        isUntargeted(offer) &&
        isForOrder(offer, { country: "US", language: "en" }) &&
        !offer.currencies?.length &&
        (offer.dailyCap ?? Infinity) >= 10_000 &&
        (offer.lifetimeCap ?? Infinity) >= 100_000,
    );
    expect(open.length).toBeGreaterThanOrEqual(6);
  });

  it("fill a request that tells neither language nor country's currency", () => {
    const unconditional = demoOffers.filter(
      (offer) => isRunning(offer) && isUntargeted(offer) && isForOrder(offer, { country: "??", language: "??" }),
    );
    expect(unconditional.length).toBeGreaterThanOrEqual(4);
  });

  it("give different requests different first fours", () => {
    const requests: Request[] = [
      { country: "US", language: "en" },
      { country: "DE", language: "de" },
      { country: "FR", language: "fr" },
      { country: "GB", language: "en" },
      { country: "MX", language: "es" },
      { country: "US", language: "en", currency: "USD", amount: 320, paymentType: "creditCard" },
      { country: "US", language: "en", currency: "USD", amount: 30, paymentType: "applePay" },
      { country: "FR", language: "fr", currency: "EUR", amount: 80 },
      { country: "MX", language: "es", currency: "MXN", amount: 900 },
    ];
    const sets = requests.map((request) =>
      offersFor(request)
        .slice(0, 4)
        .map((offer) => offer.id),
    );
    expect(sets.every((set) => set.length === 4)).toBe(true);
    expect(new Set(sets.map((set) => set.toSorted().join())).size).toBe(requests.length);
  });

  it("differ in everything that an offer can be limited by", () => {
    const limits = [...TARGETING_COLUMNS, "dailyCap", "lifetimeCap", "startsAt", "endsAt"] as const;
    expect(limits.filter((field) => !demoOffers.some((offer) => isSet(offer[field])))).toEqual([]);
    expect(new Set(demoOffers.map((offer) => offer.pricing))).toEqual(new Set(["CPM", "CPC", "CPA"]));
    expect(new Set(demoOffers.map(status))).toEqual(new Set(["active", "paused", "archived"]));
    expect(new Set(demoOffers.map((offer) => offer.priority)).size).toBeGreaterThanOrEqual(5);
  });

  it.each(demoOffers.map((offer) => [offer.name, offer] as const))(
    "%s leads to a reserved host with known macros",
    (_, offer) => {
      for (const address of [offer.destinationUrl, ...(offer.termsUrl ? [offer.termsUrl] : [])]) {
        const url = new URL(address);
        expect(url.protocol).toBe("https:");
        expect(url.hostname).toMatch(/\.example$/);
      }
      const macros = offer.destinationUrl.match(/\{[^}]*\}/g) ?? [];
      expect(macros).toContain("{click_id}");
      for (const macro of macros) expect(macro).toMatch(/^\{(click|session|placement|site|offer)_id\}$|^\{country\}$/);
      for (const country of offer.countries ?? []) expect(country).toMatch(/^[A-Z]{2}$/);
      for (const language of offer.languages ?? []) expect(language).toMatch(/^[a-z]{2}$/);
    },
  );

  it("show icons that the service has, and some none", () => {
    const paths = demoOffers.flatMap((offer) => offer.iconUrl ?? []);
    expect(paths.length).toBeGreaterThan(demoOffers.length / 2);
    expect(paths.length).toBeLessThan(demoOffers.length);
    expect(paths.filter((path) => !renderIcon(/^\/icons\/([a-z-]+)\.svg$/.exec(path)?.[1] ?? ""))).toEqual([]);
  });
});
