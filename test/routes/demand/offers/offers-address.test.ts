import { beforeAll, describe, expect, it } from "vitest";
import { ICON_NAMES } from "../../../../functions/core/icon-names.ts";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import {
  creativeBody,
  makeAdvertiser,
  makeInventory,
  makeOffer,
  offerBody,
  withField,
} from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const token = SECRETS.ADMIN_TOKEN;

let h: Harness;
let advertiserId: string;
beforeAll(async () => {
  h = await sharedHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});

const create = (given: object) => api(h, "POST", "/api/v1/offers", { token, body: offerBody(advertiserId, given) });
const change = (id: string, body: object) => api(h, "PUT", `/api/v1/offers/${id}`, { token, body });
const stored = (id: string) =>
  h.rows("select destination_url, terms_url, icon_url from offers where id = $1", [id]).then(([row]) => row);

it("stores addresses as browsers read them, with their macros", async () => {
  const icon = { url: "https:Pictures.example/a b.png", width: 1, height: 1 };
  const made = await create({
    destinationUrl: "https:evil.example",
    termsUrl: String.raw`https:\\terms.example\{now}`,
    icon,
  });
  const { id } = dataOf<{ id: string }>(made);
  expect(dataOf(made)).toMatchObject({
    destinationUrl: "https://evil.example/",
    termsUrl: "https://terms.example/{now}",
    icon: { ...icon, url: "https://pictures.example/a%20b.png" },
  });
  const changed = await change(id, {
    destinationUrl: "HTTPS://Shop.example/../{click_id}/x?in={country}",
    icon: { ...icon, url: "/icons/tree.svg" },
  });
  expect(changed.status).toBe(200);
  expect(await stored(id)).toEqual({
    destination_url: "https://shop.example/{click_id}/x?in={country}",
    terms_url: "https://terms.example/{now}",
    icon_url: "/icons/tree.svg",
  });
});

it.each(["https://user:pass@shop.example/", "https://{country}.shop.example/", "https://{click_id}@shop.example/"])(
  "takes none such as %s",
  async (url) => {
    const problem = "must not have a user, a password or a macro before its path";
    expect(said(await create({ destinationUrl: url }))).toEqual(invalid(`destinationUrl: ${problem}`));
    expect(said(await create({ termsUrl: url }))).toEqual(invalid(`termsUrl: ${problem}`));
    expect(said(await create({ icon: { url, width: 1, height: 1 } }))).toEqual(invalid(`icon.url: ${problem}`));
  },
);

it("takes no macro that does not exist, in a path neither", async () => {
  const { json } = await create({ destinationUrl: "https://shop.example/{ClickId}/{click_id}" });
  expect(json).toMatchObject({
    details: [expect.stringMatching(/^destinationUrl: has no macro \{ClickId\}; there are/)],
  });
});

it("leads customers to a destination whose path has macros", async () => {
  const { site, placement, publisher } = await makeInventory(h.db);
  const made = await create({
    destinationUrl: "https:shop.example/{offer_id}/ä?c={click_id}",
    priority: 1,
    targeting: { includeSites: [site.id] },
  });
  const { id } = dataOf<{ id: string }>(made);
  const asked = { placementId: placement.id, publicKey: publisher.publicKey, count: "20" };
  const { offers } = await askOffers(h, asked);
  const shown = offers.find(({ bannerId }) => bannerId === id);
  const clicked = await h.fetch(shown?.clickUrl ?? "", { redirect: "manual" });
  expect(clicked.headers.get("location")).toMatch(
    new RegExp(`^https://shop.example/${id}/%C3%A4\\?c=[0-9a-z]{26}-[0-9a-z]{26}$`),
  );
});

describe("the URLs", () => {
  const URLS = ["destinationUrl", "termsUrl", "icon.url"];
  const HOSTS = ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.1.2.3"];
  const NAMES = ["localhost", "localhost.", "foo.local", "foo.local.", "intranet", "user:pass@a.example"];
  const refused = [
    ...[...HOSTS, ...NAMES].map((host) => `https://${host}/x`),
    "http://a.example/",
    "javascript:alert(1)",
    "//a.example/",
    `https://a.example/${"x".repeat(2048)}`,
  ];

  it.each(URLS)("%s is https and public, on create and on change", async (field) => {
    const { id } = dataOf<{ id: string }>(await create({}));
    for (const ok of ["https://a.example./x?y={click_id}", `https://a.example/${"x".repeat(2030)}`.slice(0, 2048)]) {
      expect((await change(id, withField(field, ok))).status).toBe(200);
    }
    for (const url of refused) {
      for (const answer of [await create(withField(field, url)), await change(id, withField(field, url))]) {
        expect([url, answer.status, answer.json]).toMatchObject([
          url,
          400,
          { code: "VALIDATION_FAILED", details: [expect.stringMatching(new RegExp(`^${field}: must`))] },
        ]);
      }
    }
  });

  it.each(["/icons/coffee.svg", "/icons/sample-gift.svg"])("of an icon may be the service's own %s", async (url) => {
    expect(dataOf(await create(withField("icon.url", url)))).toMatchObject({ icon: { url } });
  });

  it.each(["icons/tree.svg", "/ui/demo.css", "//icons/tree.svg", "http://a.example/icons/tree.svg"])(
    "of an icon is not %s",
    async (url) => {
      const problem = "icon.url: must be an https URL of a public host";
      expect(said(await create(withField("icon.url", url)))).toEqual(invalid(problem));
    },
  );

  it.each([
    "/icons/nope.svg",
    "/icons/constructor.svg",
    "/icons/../tree.svg",
    "/icons/Tree.svg",
    "/icons/tree.png",
    "/icons/tree.svg?x",
    "/icons/",
  ])("of an icon is not %s, which the service does not have", async (url) => {
    const names = ICON_NAMES.join(", ");
    const refusal = invalid(`icon.url: is no icon of the service; there is /icons/{name}.svg for ${names}`);
    const { id } = dataOf<{ id: string }>(await create({}));
    expect(said(await create(withField("icon.url", url)))).toEqual(refusal);
    expect(said(await change(id, withField("icon.url", url)))).toEqual(refusal);
    const body = creativeBody({ icon: { url, width: 1, height: 1 } });
    const creative = await api(h, "POST", `/api/v1/offers/${id}/creatives`, { token, body });
    expect(said(creative)).toEqual(refusal);
  });

  it("of an icon that the service once had stays with what is stored", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { iconUrl: "/icons/gone.svg", iconWidth: 1, iconHeight: 1 });
    expect(dataOf(await change(id, { title: "Another" }))).toMatchObject({ icon: { url: "/icons/gone.svg" } });
  });
});
