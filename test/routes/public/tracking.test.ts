import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import app from "../../../functions/app.ts";
import { countsOf, expectExactCounts, hitsOf, mint, stored } from "../../support/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SETTINGS } from "../../support/secrets.ts";

type Served = { offers: { bannerId: string; beaconUrl: string; clickUrl: string; closeUrl: string }[] };

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiser: Awaited<ReturnType<typeof makeAdvertiser>>;

beforeAll(async () => {
  h = await startHarness();
  inventory = await makeInventory(h.db);
  advertiser = await makeAdvertiser(h.db);
});
afterAll(() => h.close());

/** Makes an offer, has it served, and does with it all that a customer and a clumsy script can. */
const playThrough = async (pricing: "CPM" | "CPC" | "CPA", bidMicros: number, publisherShareBps: number) => {
  const { site, placement, publisher } = inventory;
  const country = { CPM: "DE", CPC: "FR", CPA: "US" }[pricing];
  const { id } = await makeOffer(h.db, advertiser.id, {
    pricing,
    bidMicros,
    publisherShareBps,
    includeSites: [site.id],
    countries: [country],
  });
  const query = `placementId=${placement.id}&sessionId=s1&at.orderid=o1&at.country=${country}&count=20`;
  const answer = await h.fetch(`/api/odata?${query}`, { headers: { Authorization: `Bearer ${publisher.publicKey}` } });
  const offer = ((await answer.json()) as Served).offers.find((served) => served.bannerId === id);
  if (!offer) throw new Error("the offer was not served");
  const { beaconUrl, clickUrl, closeUrl } = offer;
  for (const url of [beaconUrl, beaconUrl, `${beaconUrl}&v=1`, closeUrl]) {
    expect((await h.fetch(url, { method: "POST" })).status).toBe(204);
  }
  for (const url of [clickUrl, clickUrl]) {
    expect((await h.fetch(url, { redirect: "manual" })).status).toBe(302);
  }
  await stored(h, id, 6);
  expect(await hitsOf(h, id)).toEqual([
    "click counted 1",
    "click duplicate 1",
    "close counted 1",
    "impression counted 1",
    "impression duplicate 1",
    "viewable counted 1",
  ]);
  const counted = { impressions: 1, viewables: 1, clicks: 1, closes: 1, conversions: 0 };
  return {
    counts: await countsOf(h, id),
    counted: {
      day: new Date().toISOString().slice(0, 10),
      placement: placement.id,
      advertiser: advertiser.id,
      country,
      ...counted,
    },
  };
};

describe("an offer from its answer to the counters", () => {
  it.concurrent("bills a thousandth of a CPM bid for the impression and shares it exactly", async () => {
    const { counts, counted } = await playThrough("CPM", 12_345_000, 3_333);
    expect(counts).toEqual([{ ...counted, gross: 12_345, revenue: 4_114.5885 }]);
  });

  it.concurrent("bills a CPC bid for the first click", async () => {
    const { counts, counted } = await playThrough("CPC", 777_777, 7_000);
    expect(counts).toEqual([{ ...counted, gross: 777_777, revenue: 544_443.9 }]);
  });

  it.concurrent("earns nothing by clicks on a CPA offer", async () => {
    const { counts, counted } = await playThrough("CPA", 40_000_000, 10_000);
    expect(counts).toEqual([{ ...counted, gross: 0, revenue: 0 }]);
  });

  it.concurrent("keeps decision, session and e-mail hash with every event, and neither session nor e-mail", async () => {
    const { site, placement, publisher } = inventory;
    const { id } = await makeOffer(h.db, advertiser.id, { includeSites: [site.id], countries: ["NL"] });
    const query = `placementId=${placement.id}&sessionId=secret-session&at.email=jo@example.com&at.country=NL&count=20`;
    const answer = await h.fetch(`/api/odata?${query}`, {
      headers: { Authorization: `Bearer ${publisher.publicKey}` },
    });
    const offer = ((await answer.json()) as Served).offers.find((served) => served.bannerId === id);
    await h.fetch(offer?.beaconUrl ?? "");
    await h.fetch(offer?.clickUrl ?? "", { redirect: "manual" });
    await stored(h, id, 2);
    const events = await h.rows("select * from events where offer_id = $1", [id]);
    expect(new Set(events.map((event) => event["decision_id"])).size).toBe(1);
    for (const event of events) {
      expect(event["session_hash"]).toMatch(/^[\w-]{22}$/);
      expect(event["email_hash"]).toMatch(/^[\w-]{22}$/);
    }
    expect(JSON.stringify(events)).not.toMatch(/secret-session|jo@example/);
  });

  it("leaves counters that a recount of the events confirms", async () => {
    await expectExactCounts(h);
    expect(await h.rows("select * from tracking_rejects")).toEqual([]);
  });
});

it.each(["/", "/health", "/privacy", "/api/v1/nothing", "/vdata/x", "/clicks"])(
  "%s is not opened to other pages by the tracking endpoints",
  async (path) => {
    const { headers } = await h.fetch(path, { redirect: "manual" });
    expect(headers.get("access-control-allow-methods")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cross-origin-resource-policy")).toBeNull();
  },
);

it.each(["/vdata?", "/vdata?v=1&", "/close?"])("%s is seen through for a customer who leaves", async (path) => {
  const seenThrough: Promise<unknown>[] = [];
  const sent = Promise.withResolvers<void>();
  const answer = app.fetch(
    new Request(`https://offers.example${path}t=${mint(newId("offer"))}`),
    { ...SETTINGS, EVENTS: { send: async () => sent.promise } },
    { waitUntil: (work: Promise<unknown>) => void seenThrough.push(work), passThroughOnException: () => {}, props: {} },
  );
  let isDone = false;
  expect(seenThrough).toHaveLength(1);
  const done = seenThrough[0]?.finally(() => {
    isDone = true;
  });
  await new Promise(setImmediate);
  expect(isDone).toBe(false);
  sent.resolve();
  await done;
  expect((await answer).status).toBe(204);
});
