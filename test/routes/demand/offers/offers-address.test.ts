import { beforeAll, expect, it } from "vitest";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, offerBody } from "../../../support/factories.ts";
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
  const changed = await api(h, "PUT", `/api/v1/offers/${id}`, {
    token,
    body: {
      destinationUrl: "HTTPS://Shop.example/../{click_id}/x?in={country}",
      icon: { ...icon, url: "/icons/tree.svg" },
    },
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
    const problem = "must not have a user, a password or a macro in front of its path";
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
