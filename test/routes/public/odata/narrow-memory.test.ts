import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeOffers } from "../../../support/factories.ts";
import { holdDatabase } from "../../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
beforeAll(async () => {
  // Memory answers for longer than a test takes, so that only a rebuilt list has what changed.
  h = await startHarness({ vars: { DOCUMENT_FRESH_MS: "600000" } });
  await h.rows("update offers set status = 'archived' where status = 'active'");
});
afterAll(() => h.close());

/** Makes offers in front of all others for a language that hardly anybody speaks, more than a list has places for. */
const crowd = async (siteId: string) => {
  for (let i = 0; i < 20; i++) {
    const { id } = await makeAdvertiser(h.db);
    await makeOffers(h.db, id, 9, () => ({ priority: 1, languages: ["ja"], includeSites: [siteId] }));
  }
};

it.each([
  ["is complete", async () => undefined],
  ["was cut", crowd],
])(
  "the only offer that fits is in the next answers, however often it is edited, where the list %s",
  async (_, fill) => {
    const { publisher, site, placement } = await makeInventory(h.db);
    await fill(site.id);
    const { id: advertiserId } = await makeAdvertiser(h.db);
    const { id } = await makeOffer(h.db, advertiserId, { priority: 100, includeSites: [site.id] });
    const asked = {
      publicKey: publisher.publicKey,
      placementId: placement.id,
      "at.country": "US",
      "at.language": "pt",
    };
    const ask = async () => (await askOffers(h, asked)).ids;
    expect(await ask()).toEqual([id]);
    for (const path of ["a", "b", "c"]) {
      const body = { destinationUrl: `https://advertiser.example/${path}` };
      const { status } = await api(h, "PUT", `/api/v1/offers/${id}`, { token: SECRETS.ADMIN_TOKEN, body });
      expect(status).toBe(200);
      // The first answer may come before the list is rebuilt: it waits for it only for a moment.
      expect(await h.until(ask, (ids) => ids.length > 0)).toEqual([id]);
    }
  },
);

it("an answer does not wait for the database for the list that has what changed", async () => {
  const { publisher, site, placement } = await makeInventory(h.db);
  const { id: advertiserId } = await makeAdvertiser(h.db);
  const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id] });
  const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", "at.language": "pt" };
  const ask = async () => (await askOffers(h, asked)).ids;
  const edit = (path: string) =>
    api(h, "PUT", `/api/v1/offers/${id}`, {
      token: SECRETS.ADMIN_TOKEN,
      body: { destinationUrl: `https://advertiser.example/${path}` },
    });
  await ask();
  // The first edit has a narrower list built, the second puts it out of use.
  await edit("a");
  expect(await h.until(ask, (ids) => ids.length > 0)).toEqual([id]);
  await edit("b");
  const release = holdDatabase(h);
  try {
    expect(await ask()).toEqual([]);
  } finally {
    release();
  }
  expect(await h.until(ask, (ids) => ids.length > 0)).toEqual([id]);
});
