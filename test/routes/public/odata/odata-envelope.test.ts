import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { SAMPLE_OFFERS } from "../../../../functions/decision/samples.ts";
import { askOffers, requestOffers, trackedOf } from "../../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

/** Inventory for which two offers are there: one with everything, one with nothing that can be left out. */
const makeShow = async (overrides: Parameters<typeof makeInventory>[1] = {}) => {
  const { publisher, site, placement } = await makeInventory(h.db, overrides);
  const full = await makeOffer(h.db, advertiserId, {
    includeSites: [site.id],
    description: "One line\nand another\r\nwith <b>&amp;</b> 💐",
    termsUrl: "https://advertiser.example/terms",
    iconUrl: "/icons/tree.svg",
    iconWidth: 96,
    iconHeight: 64,
  });
  const bare = await makeOffer(h.db, advertiserId, { includeSites: [site.id], priority: 2 });
  return { site, full, bare, asked: { publicKey: publisher.publicKey, placementId: placement.id, count: "2" } };
};

describe("the envelope", () => {
  it("has exactly the members that the API names, and leaves out what an offer does not have", async () => {
    const { site, full, bare, asked } = await makeShow();
    const envelope: unknown = await (await requestOffers(h, asked)).json();
    const origin = /http:\/\/127\.0\.0\.1:\d+(?=\/privacy")/.exec(JSON.stringify(envelope))?.[0];
    const url = (path: string) => expect.stringMatching(new RegExp(`^${origin}/${path}\\?t=[A-Za-z0-9._-]+$`));
    const urls = { clickUrl: url("click"), beaconUrl: url("vdata"), closeUrl: url("close") };
    expect(envelope).toEqual({
      offers: [
        {
          bannerId: full.id,
          title: "A title",
          header: "A header",
          description: "One line\nand another\r\nwith <b>&amp;</b> 💐",
          ctaText: "Yes, please",
          declineButtonText: "No, thanks",
          ...urls,
          termsUrl: "https://advertiser.example/terms",
          icon: { url: `${origin}/icons/tree.svg`, width: 96, height: 64 },
        },
        {
          bannerId: bare.id,
          title: "A title",
          header: "A header",
          description: "A first line\nand a second",
          ctaText: "Yes, please",
          declineButtonText: "No, thanks",
          ...urls,
        },
      ],
      adDisplayDelay: 0,
      isTestMode: false,
      siteStatus: "active",
      templateData: {
        brandName: site.name,
        privacyUrl: `${origin}/privacy`,
        brandTemplateImageUrl: `${origin}/icons/brand.svg`,
        toggleCloseButtonDelay: 0,
        showFirstOfferIcon: true,
        showPartnership: true,
        templateConfig: {
          iconConfig: { mobilePosition: "top", showIcon: true },
          textConfig: { titleSize: "large", subtitleSize: "medium", descriptionSize: "medium", titleTransform: "none" },
          layoutConfig: { gridColumnsDesktop: ["1fr", "2fr"], gridColumnsMobile: "1fr", gridGap: "16px" },
          buttonConfig: {
            primaryButtonKind: "primary",
            primaryButtonAppearance: "filled",
            buttonLayoutMobile: "stacked",
          },
          linksConfig: { showTermsLink: true, showDisclaimerLink: true },
          footerConfig: { showPartnership: true, privacyLinkLabel: "Privacy policy" },
        },
      },
    });
  });

  it("takes the placement's data over the defaults, member by member", async () => {
    const { asked } = await makeShow({
      placement: {
        data: {
          adDisplayDelay: 2500,
          brandName: "A Brand",
          privacyUrl: "https://shop.example/privacy",
          templateConfig: { textConfig: { titleSize: "small" }, footerConfig: { showPartnership: false } },
          unknown: { member: 1 },
        },
      },
    });
    const { adDisplayDelay, templateData } = await askOffers(h, asked);
    expect(adDisplayDelay).toBe(2500);
    expect(templateData).toMatchObject({ brandName: "A Brand", privacyUrl: "https://shop.example/privacy" });
    expect(templateData.templateConfig.textConfig).toEqual({
      titleSize: "small",
      subtitleSize: "medium",
      descriptionSize: "medium",
      titleTransform: "none",
    });
    expect(templateData.templateConfig.footerConfig).toEqual({
      showPartnership: false,
      privacyLinkLabel: "Privacy policy",
    });
    expect(templateData).not.toHaveProperty("unknown");
    expect(templateData).not.toHaveProperty("adDisplayDelay");
  });

  it("carries for each offer a token of its own, which says what was decided", async () => {
    const { full, bare, asked } = await makeShow();
    const before = Date.now();
    const { offers } = await askOffers(h, { ...asked, "at.country": "DE" });
    const tracked = await Promise.all(offers.map(trackedOf));
    expect(tracked.map(({ offerId }) => offerId)).toEqual([full.id, bare.id]);
    expect(new Set(tracked.map(({ decisionId }) => decisionId)).size).toBe(1);
    for (const { placementId, country, isTest, issuedAt } of tracked) {
      expect({ placementId, country, isTest }).toEqual({
        placementId: asked.placementId,
        country: "DE",
        isTest: false,
      });
      expect(issuedAt).toBeGreaterThanOrEqual(before);
      expect(issuedAt).toBeLessThanOrEqual(Date.now());
    }
    const [again] = (await askOffers(h, { ...asked, "at.country": "DE" })).offers;
    expect((await trackedOf(again)).decisionId).not.toBe(tracked[0]?.decisionId);
  });
});

describe("PUBLIC_URL", () => {
  let there: Harness;
  beforeAll(async () => {
    there = await startHarness({ vars: { PUBLIC_URL: "https://offers.example/" } });
  });
  afterAll(() => there.close());

  it("is the address of every URL of the service's own", async () => {
    const asked = { publicKey: demo.publicKey, placementId: demo.placements.live };
    const { offers, templateData } = await askOffers(there, { ...asked, "at.country": "US", "at.language": "en" });
    expect(offers).toHaveLength(4);
    for (const { clickUrl, beaconUrl, closeUrl, icon } of offers) {
      expect(clickUrl).toMatch(/^https:\/\/offers\.example\/click\?t=/);
      expect(beaconUrl).toMatch(/^https:\/\/offers\.example\/vdata\?t=/);
      expect(closeUrl).toMatch(/^https:\/\/offers\.example\/close\?t=/);
      expect(icon?.url).toMatch(/^https:\/\/offers\.example\/icons\/[a-z-]+\.svg$/);
    }
    expect(templateData.brandTemplateImageUrl).toBe("https://offers.example/icons/brand.svg");
    const other = await askOffers(there, { ...asked, placementId: demo.placements.test });
    expect(other.templateData.privacyUrl).toBe("https://offers.example/privacy");
  });
});

describe("the switches", () => {
  const cases: [string, Parameters<typeof makeInventory>[1], string, string][] = [
    ["an inactive publisher", { publisher: { status: "inactive" } }, "publisher_inactive", "active"],
    ["ads off at the publisher", { publisher: { adsEnabled: false } }, "publisher_ads_disabled", "active"],
    ["a pending site", { site: { status: "pending" } }, "site_not_active", "pending"],
    ["an inactive site", { site: { status: "inactive" } }, "site_not_active", "inactive"],
    ["ads off at the site", { site: { adsEnabled: false } }, "site_ads_disabled", "active"],
    ["an inactive placement", { placement: { status: "inactive" } }, "placement_inactive", "active"],
    [
      "everything off",
      {
        publisher: { status: "inactive", adsEnabled: false },
        site: { status: "pending", adsEnabled: false },
        placement: { status: "inactive" },
      },
      "publisher_inactive",
      "pending",
    ],
  ];

  it.each(cases)("keep offers away with %s, in live and in test mode", async (_, off, reason, siteStatus) => {
    for (const isLiveMode of [true, false]) {
      const { asked, site } = await makeShow({ ...off, placement: { ...off?.placement, isLiveMode } });
      const answer = await askOffers(h, asked);
      expect(answer).toMatchObject({ offers: [], isTestMode: !isLiveMode, siteStatus, noFillReason: reason });
      expect(answer.templateData.brandName).toBe(site.name);
    }
  });

  it("come after the check of the parameters and the placement", async () => {
    const { asked } = await makeShow({ publisher: { status: "inactive" } });
    expect((await requestOffers(h, { ...asked, count: "0" })).status).toBe(400);
    expect((await requestOffers(h, { ...asked, placementId: demo.placements.live })).status).toBe(404);
  });

  it("are not at fault where no offer is eligible", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    await h.rows("update offers set exclude_publishers = exclude_publishers || $1::text", [publisher.id]);
    const asked = { publicKey: publisher.publicKey, placementId: placement.id };
    expect(await askOffers(h, asked)).toMatchObject({
      offers: [],
      isTestMode: false,
      siteStatus: "active",
      noFillReason: "no_eligible_offer",
    });
  });

  it("of the demo network's inactive placement are off", async () => {
    const asked = { publicKey: demo.publicKey, placementId: demo.placements.inactive };
    expect(await askOffers(h, asked)).toMatchObject({ offers: [], noFillReason: "placement_inactive" });
  });
});

describe("test mode", () => {
  const asked = { publicKey: demo.publicKey, placementId: demo.placements.test };

  it("serves the same sample offers to every request", async () => {
    const first = await askOffers(h, asked);
    expect(first).toMatchObject({ isTestMode: true, siteStatus: "active", noFillReason: null });
    expect(first.ids).toEqual(SAMPLE_OFFERS.slice(0, 4).map((offer) => offer.id));
    for (const more of [{ sessionId: "another" }, { "at.country": "JP" }, { "at.amount": "999999" }]) {
      expect((await askOffers(h, { ...asked, ...more })).ids).toEqual(first.ids);
    }
  });

  it.each([
    ["1", 1],
    ["6", 6],
    ["20", SAMPLE_OFFERS.length],
  ])("serves of %s asked for %d", async (count, length) => {
    expect((await askOffers(h, { ...asked, count })).offers).toHaveLength(length);
  });

  it("says so in the tokens, and counts no request", async () => {
    const { offers } = await askOffers(h, asked);
    for (const offer of offers) expect(await trackedOf(offer)).toMatchObject({ isTest: true });
    const { asked: counted } = await makeShow();
    await askOffers(h, counted);
    const placements = async () =>
      (await h.rows<{ id: string }>("select distinct placement_id as id from daily_counters")).map(({ id }) => id);
    expect(await h.until(placements, (ids) => ids.includes(counted.placementId))).not.toContain(asked.placementId);
  });

  it("takes the placement's data too", async () => {
    expect((await askOffers(h, asked)).templateData.brandName).toBe("Demo Outfitters");
  });
});
