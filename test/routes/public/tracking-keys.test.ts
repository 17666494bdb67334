import { afterAll, beforeAll, expect, it } from "vitest";
import { askOffers } from "../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const OLD = "1:the-old-tracking-secret";
const NEW = "2:the-new-tracking-secret";

/** Holds `TRACKING_KEYS` before a rotation, through its two steps, and once the last old click has expired. */
const STEPS = [OLD, `${OLD},${NEW}`, `${NEW},${OLD}`, NEW];

const services: Harness[] = [];
let asked: Parameters<typeof askOffers>[1];

beforeAll(async () => {
  for (const keys of STEPS) {
    const postgresUrl = services[0]?.postgresUrl;
    services.push(await startHarness({ secrets: { TRACKING_KEYS: keys }, ...(postgresUrl && { postgresUrl }) }));
  }
  const { db } = services[0] as Harness;
  const { publisher, site, placement } = await makeInventory(db);
  const { id } = await makeAdvertiser(db);
  await makeOffer(db, id, { includeSites: [site.id], destinationUrl: "https://advertiser.example/" });
  asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "1", "at.country": "US" };
});
afterAll(() => Promise.all(services.map((service) => service.close())));

/** Shows an offer with the keys of one step, and calls one of its URLs with the keys of each step. */
const statuses = async (shown: number, url: "clickUrl" | "beaconUrl"): Promise<number[]> => {
  const { offers } = await askOffers(services[shown] as Harness, asked);
  const { pathname, search } = new URL(offers[0]?.[url] ?? "");
  const answers = services.map((service) => service.fetch(`${pathname}${search}`, { redirect: "manual" }));
  return (await Promise.all(answers)).map(({ status }) => status);
};

it.each([
  ["before a rotation", 0, [true, true, true, false]],
  ["while the new key verifies", 1, [true, true, true, false]],
  ["once the new key signs", 2, [false, true, true, true]],
  ["when the old key is gone", 3, [false, true, true, true]],
])("a URL handed out %s counts at each step that may run beside it", async (_, step, accepted) => {
  expect(await statuses(step, "clickUrl")).toEqual(accepted.map((is) => (is ? 302 : 400)));
  expect(await statuses(step, "beaconUrl")).toEqual(accepted.map((is) => (is ? 204 : 400)));
});
