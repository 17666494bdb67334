import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, type Method } from "../../support/api.ts";
import { askOffers, trackedOf } from "../../support/ask-offers.ts";
import { countsOf, stored } from "../../support/tracking/hits.ts";
import { makeInventory, makePlatform, offerBody } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

type Offer = { id: string };

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** Makes an offer that a placement shows, as its platform would, and functions to change and to show it. */
const makeShown = async (given: object) => {
  const platform = await makePlatform(h.db);
  const { publisher, site, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const call = async (method: Method, path: string, body?: object) => {
    const answer = await api(h, method, `/api/v1${path}`, { token: platform.token, body });
    expect(answer.status).toBeLessThan(300);
    return dataOf<Offer>(answer);
  };
  const advertiser = await call("POST", "/advertisers", { name: `Advertiser ${site.id}` });
  const { id } = await call(
    "POST",
    "/offers",
    offerBody(advertiser.id, { targeting: { includeSites: [site.id] }, ...given }),
  );
  const show = async (sessionId = "s") => {
    const asked = {
      publicKey: publisher.publicKey,
      placementId: placement.id,
      "at.country": "US",
      count: "20",
      sessionId,
    };
    // A changed offer comes back once an answer has had its list renewed.
    const find = async () => (await askOffers(h, asked)).offers.find(({ bannerId }) => bannerId === id);
    const shown = await h.until(find, (offer) => offer !== undefined);
    if (!shown) throw new Error("the offer was not shown");
    return shown;
  };
  return { id, call, show, advertiser: `/advertisers/${advertiser.id}`, offer: `/offers/${id}` };
};

const locationOf = async (clickUrl: string) => {
  const response = await h.fetch(clickUrl, { redirect: "manual" });
  expect(response.status).toBe(302);
  return response.headers.get("location");
};

const OLD = { bidMicros: 100_000, publisherShareBps: 5_000, destinationUrl: "https://advertiser.example/old" };
const NEW = { bidMicros: 900_000, publisherShareBps: 9_000, destinationUrl: "https://advertiser.example/new" };

describe("a click on an offer that was changed since it was shown", () => {
  it("costs what it cost then, and leads where it led then", async () => {
    const { id, call, show, offer } = await makeShown(OLD);
    const { clickUrl } = await show();
    await call("PUT", offer, NEW);
    expect(await locationOf(clickUrl)).toBe(OLD.destinationUrl);
    await stored(h, id, 1);
    expect(await countsOf(h, id)).toMatchObject([{ clicks: 1, gross: 100_000, revenue: 50_000 }]);

    const renewed = await show("another session");
    expect(await locationOf(renewed.clickUrl)).toBe(NEW.destinationUrl);
    await stored(h, id, 2);
    expect(await countsOf(h, id)).toMatchObject([{ clicks: 2, gross: 1_000_000, revenue: 860_000 }]);
  });

  it.each(["CPM", "CPA"])("costs a click although it is paid by %s now", async (pricing) => {
    const { id, call, show, offer } = await makeShown(OLD);
    const { clickUrl } = await show();
    await call("PUT", offer, { pricing });
    await locationOf(clickUrl);
    await stored(h, id, 1);
    expect(await countsOf(h, id)).toMatchObject([{ clicks: 1, gross: 100_000 }]);
  });

  it("costs the same when the offer was paused and its advertiser stopped", async () => {
    const { id, call, show, advertiser, offer } = await makeShown(OLD);
    const { clickUrl } = await show();
    await call("PUT", offer, NEW);
    await call("PATCH", `${offer}/status`, { status: "paused" });
    await call("PUT", advertiser, { status: "paused" });
    expect(await locationOf(clickUrl)).toBe(OLD.destinationUrl);
    await stored(h, id, 1);
    expect(await countsOf(h, id)).toMatchObject([{ clicks: 1, gross: 100_000, revenue: 50_000 }]);
  });

  it("costs nothing when the offer was deleted before anything of it was counted, and leads to it no more", async () => {
    const { id, call, show, offer } = await makeShown(OLD);
    const { clickUrl } = await show();
    expect((await api(h, "GET", `/api/v1${offer}`)).status).toBe(401);
    await call("DELETE", offer);
    expect(await h.rows("select from offers where id = $1", [id])).toEqual([]);
    expect((await h.fetch(clickUrl, { redirect: "manual" })).status).toBe(410);
    expect(await countsOf(h, id)).toEqual([]);
  });
});

describe("an offer's revision", () => {
  it.each([
    ["another title", { title: "Another" }, 1],
    ["the same price", { bidMicros: OLD.bidMicros, pricing: "CPC", publisherShareBps: OLD.publisherShareBps }, 1],
    ["another bid", { bidMicros: 1 }, 2],
    ["another pricing", { pricing: "CPA" }, 2],
    ["another share", { publisherShareBps: 1 }, 2],
    ["another destination", { destinationUrl: NEW.destinationUrl }, 2],
    ["all of them at once", NEW, 2],
  ])("after %s", async (_, change, expected) => {
    const { id, call, show, offer } = await makeShown(OLD);
    await call("PUT", offer, change);
    expect((await trackedOf(await show())).revision).toBe(expected);
    expect(await h.count("offer_revisions where offer_id = $1", [id])).toBe(expected);
  });

  it("goes on where it was when an offer comes back under the id of a deleted one", async () => {
    const { id, offer, call } = await makeShown(OLD);
    const columns =
      "id, advertiser_id, name, title, header, description, cta_text, decline_button_text, destination_url, pricing, bid_micros, ecpm_micros";
    await h.rows(`create table kept_offer as select ${columns} from offers where id = '${id}'`);
    await call("DELETE", offer);
    await h.rows(`insert into offers (${columns}) select * from kept_offer`);
    await h.rows("drop table kept_offer");
    expect(await h.rows("select revision from offers where id = $1", [id])).toEqual([{ revision: 2 }]);
  });
});
