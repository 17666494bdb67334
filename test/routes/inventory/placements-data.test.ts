import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, invalid, said } from "../../support/api.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { makeInventory } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let token: string;
let publicKey: string;
let siteId: string;

beforeAll(async () => {
  h = await sharedHarness();
  const { publisher, site } = await makeInventory(h.db);
  token = publisher.privateKey;
  publicKey = publisher.publicKey;
  siteId = site.id;
});

const create = (data: unknown) =>
  api(h, "POST", "/api/placements", { token, body: { name: "Placed", pageType: "ORDER_PAGE", siteId, data } });

/** What is wrong at a path of `data`, as an object with that one member. */
const at = (path: string, value: unknown): unknown =>
  path.split(".").reduceRight<unknown>((inner, name) => JSON.parse(`{"${name}": ${JSON.stringify(inner)}}`), value);

const FULL = {
  adDisplayDelay: 1500,
  brandName: "Shop & Söhne",
  privacyUrl: "https://shop.example/privacy?a=b#c",
  brandTemplateImageUrl: "http://cdn.shop.example/brand.png",
  toggleCloseButtonDelay: 2.5,
  showFirstOfferIcon: false,
  showPartnership: false,
  templateConfig: {
    iconConfig: { mobilePosition: "left", showIcon: false },
    textConfig: { titleSize: "small", subtitleSize: "large", descriptionSize: "xlarge", titleTransform: "uppercase" },
    layoutConfig: {
      gridColumnsDesktop: ["1.5fr", "120px", "auto", "20%"],
      gridColumnsMobile: "2fr",
      gridGap: "0.5rem",
    },
    buttonConfig: {
      primaryButtonKind: "secondary",
      primaryButtonAppearance: "outline",
      buttonLayoutMobile: "inline",
    },
    linksConfig: { showTermsLink: false, showDisclaimerLink: false },
    footerConfig: { showPartnership: false, privacyLinkLabel: "Datenschutz" },
  },
};

describe("a placement's data", () => {
  it("shows in offers member by member", async () => {
    const { id: placementId, data } = dataOf<{ id: string; data: object }>(await create(FULL));
    expect(data).toEqual(FULL);
    const { adDisplayDelay, templateData } = await askOffers(h, { publicKey, placementId });
    expect({ adDisplayDelay, ...templateData }).toEqual(FULL);
  });

  it("leaves the defaults of what it does not name, and is replaced whole", async () => {
    const bare = dataOf<{ id: string }>(await create(undefined));
    const some = dataOf<{ id: string }>(await create({ templateConfig: { iconConfig: { showIcon: false } } }));
    const { templateData: defaults } = await askOffers(h, { publicKey, placementId: bare.id });
    const { templateConfig } = defaults;
    expect((await askOffers(h, { publicKey, placementId: some.id })).templateData).toEqual({
      ...defaults,
      templateConfig: { ...templateConfig, iconConfig: { ...templateConfig.iconConfig, showIcon: false } },
    });
    const body = { data: { showPartnership: false } };
    expect(dataOf(await api(h, "PUT", `/api/placements/${some.id}`, { token, body }))).toMatchObject(body);
    expect((await askOffers(h, { publicKey, placementId: some.id })).templateData).toEqual({
      ...defaults,
      showPartnership: false,
    });
  });

  it("decides whether answers are a test", async () => {
    const { id } = dataOf<{ id: string }>(await create({}));
    for (const isLiveMode of [true, false]) {
      await api(h, "PUT", `/api/placements/${id}`, { token, body: { isLiveMode } });
      expect(await askOffers(h, { publicKey, placementId: id })).toMatchObject({ isTestMode: !isLiveMode });
    }
  });
});

const LIMITS: [string, unknown][] = [
  ["adDisplayDelay", 0],
  ["adDisplayDelay", 60_000],
  ["toggleCloseButtonDelay", 60_000],
  ["brandName", "x".repeat(255)],
  ["privacyUrl", `https://shop.example/${"x".repeat(2048 - 21)}`],
  ["templateConfig", {}],
  ["templateConfig.layoutConfig.gridColumnsDesktop", ["auto"]],
];

const sizes = "must be one of small, medium, large, xlarge";
const notUrl = "must be an http or https URL";
const notColumn = "must be a column width such as 1fr or 120px";
const delays = ["adDisplayDelay", "toggleCloseButtonDelay"];
const flags = [
  "showFirstOfferIcon",
  "showPartnership",
  "templateConfig.iconConfig.showIcon",
  "templateConfig.linksConfig.showTermsLink",
  "templateConfig.linksConfig.showDisclaimerLink",
  "templateConfig.footerConfig.showPartnership",
];
const objects = ["iconConfig", "textConfig", "layoutConfig", "buttonConfig", "linksConfig", "footerConfig"];
const unknown = ["", "templateConfig.", ...objects.map((name) => `templateConfig.${name}.`)];

/** Path, value, and the complaint. */
const REFUSED: [string, unknown, string][] = [
  ...delays.flatMap((path): [string, unknown, string][] => [
    [path, -1, "must be at least 0"],
    [path, 60_001, "must be at most 60000 milliseconds"],
    [path, "5", "must be a number"],
    [path, null, "must be a number"],
  ]),
  ...flags.map((path): [string, unknown, string] => [path, "true", "must be a boolean"]),
  ...["templateConfig", ...objects.map((name) => `templateConfig.${name}`)].flatMap(
    (path): [string, unknown, string][] => [
      [path, null, "must be an object"],
      [path, ["x"], "must be an object"],
    ],
  ),
  ...unknown.flatMap((path): [string, unknown, string][] => [
    [`${path}foo`, 1, "is not known"],
    [`${path}constructor`, {}, "is not known"],
    [`${path}__proto__`, { showIcon: true }, "is not known"],
  ]),
  ["brandName", " ", "must not be empty"],
  ["brandName", "x".repeat(256), "must have at most 255 characters"],
  ["brandName", null, "must be a string"],
  ["privacyUrl", "/privacy", notUrl],
  ["privacyUrl", "javascript:alert(1)", notUrl],
  ["privacyUrl", "https://user@shop.example/", "must not have a user, a password or a macro before its path"],
  ["brandTemplateImageUrl", "data:image/png;base64,AA", notUrl],
  ["templateConfig.iconConfig.mobilePosition", "bottom", "must be one of top, left, right"],
  ["templateConfig.textConfig.titleSize", "huge", sizes],
  ["templateConfig.textConfig.subtitleSize", 12, sizes],
  ["templateConfig.textConfig.descriptionSize", "", sizes],
  ["templateConfig.textConfig.titleTransform", "shout", "must be one of none, uppercase, lowercase, capitalize"],
  ["templateConfig.layoutConfig.gridColumnsDesktop", "1fr", "must be an array"],
  ["templateConfig.layoutConfig.gridColumnsDesktop", [], "must not be empty"],
  ["templateConfig.layoutConfig.gridColumnsDesktop", Array(5).fill("1fr"), "must have at most 4 columns"],
  ["templateConfig.layoutConfig.gridColumnsMobile", "1fr; color: red", notColumn],
  ["templateConfig.layoutConfig.gridGap", "wide", "must be a width such as 16px"],
  ["templateConfig.buttonConfig.primaryButtonKind", "last", "must be one of primary, secondary, tertiary"],
  ["templateConfig.buttonConfig.primaryButtonAppearance", "round", "must be one of filled, outline, text"],
  ["templateConfig.buttonConfig.buttonLayoutMobile", "grid", "must be one of stacked, inline"],
  ["templateConfig.footerConfig.privacyLinkLabel", "", "must not be empty"],
];

describe("a member of the data", () => {
  it.each(LIMITS)("%s is accepted as %j", async (path, value) => {
    expect(dataOf(await create(at(path, value)))).toHaveProperty(`data.${path}`, value);
  });

  it.each(REFUSED)("%s is refused as %j", async (path, value, problem) => {
    const before = await h.rows("select count(*) from placements");
    expect(said(await create(at(path, value)))).toEqual(invalid(`data.${path}: ${problem}`));
    expect(await h.rows("select count(*) from placements")).toEqual(before);
  });

  it("gridColumnsDesktop names the column that is wrong", async () => {
    const path = "templateConfig.layoutConfig.gridColumnsDesktop";
    expect(said(await create(at(path, ["1fr", "wide"])))).toEqual(invalid(`data.${path}.1: ${notColumn}`));
  });
});
