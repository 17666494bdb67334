import { categoryList } from "../inventory/categories.ts";
import { makeKey } from "../core/secrets/secrets.ts";

/**
 * Lists the demo network's fixed ids, and the keys that open it. They are public, so use them for development only.
 * `platformToken` is valid unless the setting PLATFORM_TOKEN names another.
 */
export const demo = {
  platformId: "plat_01m7yfxddresnrhs278v6axnnm",
  platformTokenId: "tok_01m7yfxddsesnrhs3whr8c9t4t",
  platformToken: "lan_plat_paSIShFZ5YpJqHajDELY0uzuUf5PZfuLmXZltvmq19A3D1hqQ",
  publisherId: "pub_01m7yfxddresnrhs2ff0vd0z6k",
  publicKey: "lan_pk_j0lUPG6p32rN4WolSNGQLIAlxAGuccISMyaCpNEDVvQ32funo",
  privateKeyId: "tok_01m7yfxddsesnrhs468qnchpj7",
  privateKey: "lan_sk_Jd4Ba1qqQq6ZcBWLTWfvAo9vZ39ebvF1h1pwRRO9fic0ybnJJ",
  sites: { trail: "site_01m7yfxddresnrhs2n6rg6z0x8", home: "site_01m7yfxddsesnrhs2wdcmcrdxb" },
  placements: {
    live: "plc_01m7yfxddsesnrhs3551vjgzr1",
    test: "plc_01m7yfxddsesnrhs3c71h3ffkt",
    inactive: "plc_01m7yfxddsesnrhs3gzjnk5ync",
  },
  advertisers: {
    brindlecup: "adv_01m7yg6bwjfzxr09kr6a0vpwnh",
    storyloom: "adv_01m7yg6bwkfzxr09m5kw8hjm6t",
    pennyOrchard: "adv_01m7yg6bwkfzxr09m8dw3r8eg7",
    ladleAndLark: "adv_01m7yg6bwkfzxr09mqewsvhe2j",
    hollybrook: "adv_01m7yg6bwkfzxr09mwtygjt4s1",
    mossbell: "adv_01m7yg6bwkfzxr09n24nv5rk97",
    glimmerwing: "adv_01m7yg6bwkfzxr09nefkwr66a5",
    cragfell: "adv_01m7yg6bwkfzxr09ng5efmztj7",
    wrenAndWicket: "adv_01m7yg6bwkfzxr09ntnsgnb01n",
    hearthvane: "adv_01m7yg6bwkfzxr09p0cpy1n751",
    sturmlicht: "adv_01m7yg6bwmfzxr09pd7thrkwgp",
    hofkiste: "adv_01m7yg6bwmfzxr09phk47zq0q2",
    clairvelle: "adv_01m7yg6bwmfzxr09pzq2qapzgg",
    rutaCoral: "adv_01m7yg6bwmfzxr09q7adseqdyz",
  },
} as const;

/**
 * Returns the id of the category with this path.
 *
 * @throws {Error} when no category has it
 */
export const categoryIdOf = (path: string): string => {
  const category = categoryList.find((candidate) => candidate.path === path);
  if (!category) throw new Error(`no category has the path ${path}`);
  return category.id;
};

/**
 * Returns the secret with which a demo advertiser's server reports conversions. It is the same in every installation.
 */
export const demoConversionSecret = async (advertiserId: string): Promise<string> => {
  const label = new TextEncoder().encode(`Conversion secret of the demo advertiser ${advertiserId}`);
  return makeKey("conversion", new Uint8Array(await crypto.subtle.digest("SHA-256", label)));
};

export const demoPlatform = { id: demo.platformId, name: "Demo Platform" };

export const demoPublisher = {
  id: demo.publisherId,
  platformId: demo.platformId,
  name: "Demo Outfitters",
  contactName: "Robin Demo",
  contactEmail: "hello@demo-outfitters.example",
  contactPhone: "+1 555 010 0142",
};

export const demoSites = [
  {
    id: demo.sites.trail,
    publisherId: demo.publisherId,
    name: "Demo Outfitters Trail",
    description: "Boots, packs and layers for day hikes and long weekends.",
    orderVolume: 12_000,
    averageOrder: 84.5,
    ageDemographics: "AGE_25_34",
    genderDemographics: "MIXED",
    domain: "trail.demo-outfitters.example",
    status: "active",
    adsEnabled: true,
    categoryId: categoryIdOf("specialty-retail/sports-and-outdoor-equipment"),
  },
  {
    id: demo.sites.home,
    publisherId: demo.publisherId,
    name: "Demo Outfitters Home",
    description: "Blankets, lamps and tableware for the evening after the hike.",
    orderVolume: 3_400,
    averageOrder: 212,
    ageDemographics: "AGE_45_54",
    genderDemographics: "FEMALE",
    domain: "home.demo-outfitters.example",
    status: "active",
    adsEnabled: true,
    categoryId: categoryIdOf("home-and-decor/home-appliances-and-furnishings"),
  },
] as const;

export const demoPlacements = [
  {
    id: demo.placements.live,
    siteId: demo.sites.trail,
    name: "Trail thank-you page",
    pageType: "THANK_YOU_PAGE",
    isLiveMode: true,
    template: 3,
    data: {
      brandName: "Demo Outfitters",
      privacyUrl: "https://trail.demo-outfitters.example/privacy",
      showFirstOfferIcon: true,
      templateConfig: {
        linksConfig: { showDisclaimerLink: true },
        footerConfig: { privacyLinkLabel: "How we use your data" },
      },
    },
    status: "active",
  },
  {
    id: demo.placements.test,
    siteId: demo.sites.trail,
    name: "Trail thank-you page (test)",
    pageType: "THANK_YOU_PAGE",
    isLiveMode: false,
    template: 3,
    data: { brandName: "Demo Outfitters" },
    status: "active",
  },
  {
    id: demo.placements.inactive,
    siteId: demo.sites.home,
    name: "Home order page",
    pageType: "ORDER_PAGE",
    isLiveMode: true,
    template: 1,
    data: { brandName: "Demo Outfitters Home" },
    status: "inactive",
  },
] as const;

const { advertisers, platformId } = demo;
const reach = "NETWORK" as const;

/**
 * Lists the demo advertisers, which all serve everywhere. Half belong to the demo platform; those without a platform
 * belong to the network.
 */
export const demoAdvertisers = [
  { id: advertisers.brindlecup, platformId, reach, name: "Brindlecup Coffee Roasters" },
  { id: advertisers.pennyOrchard, platformId, reach, name: "Penny Orchard" },
  { id: advertisers.hollybrook, platformId, reach, name: "Hollybrook Cover" },
  { id: advertisers.glimmerwing, platformId, reach, name: "Glimmerwing Prints" },
  { id: advertisers.cragfell, platformId, reach, name: "Cragfell Outdoor" },
  { id: advertisers.hearthvane, platformId, reach, name: "Hearthvane Home" },
  { id: advertisers.hofkiste, platformId, reach, name: "Hofkiste Lindental" },
  { id: advertisers.storyloom, platformId: null, reach, name: "Storyloom Audio" },
  { id: advertisers.ladleAndLark, platformId: null, reach, name: "Ladle & Lark" },
  { id: advertisers.mossbell, platformId: null, reach, name: "Mossbell" },
  { id: advertisers.wrenAndWicket, platformId: null, reach, name: "Wren & Wicket Teas" },
  { id: advertisers.sturmlicht, platformId: null, reach, name: "Sturmlicht Energie" },
  { id: advertisers.clairvelle, platformId: null, reach, name: "Maison Clairvelle" },
  { id: advertisers.rutaCoral, platformId: null, reach, name: "Ruta Coral" },
];
