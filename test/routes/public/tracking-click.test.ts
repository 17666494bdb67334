import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import { idSuffix, newId } from "../../../db/core/ids.ts";
import { keyedHash } from "../../../functions/core/keyed-hash.ts";
import { SECRETS } from "../../support/secrets.ts";
import { hitsOf, mint, stored } from "../../support/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import type { RequestInit } from "../../support/worker-fetch.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { untilStored } from "../../support/documents/stored.ts";

const SAMPLE_OFFER = "ofr_00000000000000000000000s01";
const DESTINATION = "https://advertiser.example/a?x={country}{unknown}";

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  inventory = await makeInventory(h.db);
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const click = (token: string, more = "", init: RequestInit = {}) =>
  h.fetch(`/click?t=${token}${more}`, { redirect: "manual", ...init });
const offerTo = async (destinationUrl: string, more = {}) =>
  (await makeOffer(h.db, advertiserId, { destinationUrl, ...more })).id;
/** A token for an offer at the placement of these tests. */
const tokenFor = (offerId: string, more = {}) => mint(offerId, { placementId: inventory.placement.id, ...more });
const expectRedirect = (response: Awaited<ReturnType<typeof click>>, to: string) => {
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(to);
};

// One after the other: a click waits for Postgres for no longer than three seconds.
describe("a click", () => {
  it("leads to the offer's destination with every macro filled in", async () => {
    const macros = "click_id session_id placement_id site_id offer_id country".split(" ");
    const url = `https://advertiser.example/{offer_id}/?${macros.map((name) => `${name}={${name}}`).join("&")}&r={country}#{x}`;
    const offerId = await offerTo(url);
    const decisionId = newId("decision");
    const sessionHash = "Ab_-567890123456789012";
    const [owner] = await h.rows<{ serial: number }>("select serial from advertisers where id = $1", [advertiserId]);
    const session = keyedHash(SECRETS.SESSION_KEY, `advertiser:${owner?.serial}:${sessionHash}`);
    const response = await click(tokenFor(offerId, { decisionId, sessionHash, country: "DE" }));
    const { site, placement } = inventory;
    expectRedirect(
      response,
      `https://advertiser.example/${offerId}/?click_id=${idSuffix(decisionId)}-${idSuffix(offerId)}&session_id=${session}` +
        `&placement_id=${placement.id}&site_id=${site.id}&offer_id=${offerId}&country=DE&r=DE#{x}`,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    await stored(h, offerId, 1);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1"]);
  });

  it("on an offer that is paused meanwhile is redirected and counted", async () => {
    const offerId = await offerTo(DESTINATION, { status: "paused" });
    expectRedirect(await click(tokenFor(offerId)), "https://advertiser.example/a?x=US{unknown}");
    await stored(h, offerId, 1);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1"]);
  });

  it.each(["GET", "POST"])("on an offer that is gone answers 404 to %s", async (method) => {
    const response = await click(tokenFor(newId("offer")), "", { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      success: false,
      error: { code: "NOT_FOUND", message: "This offer no longer exists" },
    });
  });

  it("with a token that was not signed here answers 400, whatever else it says", async () => {
    const offerId = await offerTo(DESTINATION);
    const foreign = tokenFor(offerId, { keys: "t1:another-secret" });
    for (const token of ["", "x", foreign, `${foreign}&url=https://evil.example`, "https://evil.example/"]) {
      const response = await click(token);
      expect([token, response.status]).toEqual([token, 400]);
      expect(response.headers.get("location")).toBeNull();
      expect(await response.json()).toMatchObject({ success: false, error: { code: "VALIDATION_FAILED" } });
    }
  });

  it("cannot be led elsewhere", async () => {
    const offerId = await offerTo(DESTINATION);
    const token = tokenFor(offerId);
    const location = "https://advertiser.example/a?x=US{unknown}";
    const evil = "https://evil.example/";
    for (const name of ["url", "to", "redirect", "dest", "destinationUrl", "next", "country", "site_id", "t"]) {
      expectRedirect(await click(token, `&${name}=${encodeURIComponent(evil)}`), location);
    }
    const headers = { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example", Referer: evil, Origin: evil };
    expectRedirect(await click(token, "", { headers }), location);
    expectRedirect(await h.fetch(`http://evil.example/click?t=${token}`, { redirect: "manual" }), location);
    for (const path of [
      `//evil.example/click?t=${token}`,
      `/click/${evil}?t=${token}`,
      `/click@evil.example?t=${token}`,
    ]) {
      const response = await h.fetch(new URL(path, "http://lanyap.example").href, { redirect: "manual" });
      expect(response.headers.get("location") ?? location).toBe(location);
    }
    const tampered = [
      token.replace(".L0US", ".T0US"),
      token.replace(".L0US", ".L0DE"),
      token.replace(".L0US", ".L1US"),
      `${token.slice(0, -1)}2`,
      token.replace(idSuffix(offerId), idSuffix(newId("offer"))),
      token.toUpperCase(),
      `${token}.evil`,
    ];
    for (const other of tampered) {
      expect(other).not.toBe(token);
      expect((await click(other)).status).toBe(400);
    }
  });

  it("on a sample offer is redirected and counts nowhere", async () => {
    const placementId = demo.placements.test;
    const decisionId = newId("decision");
    const response = await click(mint(SAMPLE_OFFER, { placementId, isTest: true, decisionId }));
    expectRedirect(
      response,
      `https://example.com/sample-offer?offer=${SAMPLE_OFFER}&click=${idSuffix(decisionId)}-${idSuffix(SAMPLE_OFFER)}&country=US`,
    );
    await stored(h, SAMPLE_OFFER, 1);
    expect(await hitsOf(h, SAMPLE_OFFER)).toEqual(["click test 1"]);
    expect(await h.rows("select * from daily_counters where offer_id = $1", [SAMPLE_OFFER])).toEqual([]);
  });

  it("needs nothing in KV", async () => {
    const { placement } = await makeInventory(h.db);
    const offerId = await offerTo(DESTINATION);
    const response = await click(mint(offerId, { placementId: placement.id }));
    expectRedirect(response, "https://advertiser.example/a?x=US{unknown}");
    await stored(h, offerId, 1);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1"]);
  });

  it("asked for by HEAD or ahead of time is redirected and not counted", async () => {
    const offerId = await offerTo(DESTINATION);
    const token = tokenFor(offerId);
    const location = "https://advertiser.example/a?x=US{unknown}";
    expectRedirect(await click(token, "", { method: "HEAD" }), location);
    expectRedirect(await click(token, "", { headers: { "Sec-Purpose": "prefetch;prerender" } }), location);
    expectRedirect(await click(token, "", { headers: { Purpose: "prefetch" } }), location);
    const bot = { "User-Agent": "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" };
    expectRedirect(await click(token, "", { headers: bot }), location);
    expectRedirect(await click(token, "", { method: "POST" }), location);
    await stored(h, offerId, 2);
    expect(await hitsOf(h, offerId)).toEqual(["click bot 1", "click counted 1"]);
  });

  it("of a site and placement that are gone is redirected and stored", async () => {
    const { site, placement } = await makeInventory(h.db);
    const offerId = await offerTo("https://advertiser.example/?s={site_id}&p={placement_id}");
    await h.rows("delete from sites where id = $1", [site.id]);
    const response = await click(mint(offerId, { placementId: placement.id }));
    expectRedirect(response, `https://advertiser.example/?s=&p=${placement.id}`);
    await stored(h, offerId, 1);
    expect(await h.rows("select placement_id from events where offer_id = $1", [offerId])).toEqual([
      { placement_id: placement.id },
    ]);
  });

  it("encodes what a header cannot hold, and nothing twice", async () => {
    const offerId = await offerTo("https://advertiser.example/ü/你?q={country}&a=a%20b c\td\r\nX-Evil: 1&e=%zz");
    const response = await click(tokenFor(offerId));
    expect(response.headers.get("location")).toBe(
      "https://advertiser.example/%C3%BC/%E4%BD%A0?q=US&a=a%20b%20c%09d%0D%0AX-Evil:%201&e=%zz",
    );
  });
});

describe("a click while Postgres is down", () => {
  it("is redirected by what KV holds", async () => {
    const { placement, publisher, site } = await makeInventory(h.db);
    const offerId = await offerTo("https://advertiser.example/{site_id}", { includeSites: [site.id] });
    const path = `/api/odata?placementId=${placement.id}&sessionId=s&at.orderid=o&at.country=US`;
    await h.fetch(path, { headers: { Authorization: `Bearer ${publisher.publicKey}` } });
    await untilStored(h, [
      documentKey.candidates(placement.id, "US"),
      documentKey.placement(placement.id),
      documentKey.network,
    ]);
    h.database.down = true;
    const response = await click(mint(offerId, { placementId: placement.id }));
    h.database.down = false;
    expect(response.headers.get("location")).toBe(`https://advertiser.example/${site.id}`);
  });

  it.each(["GET", "POST"])("is recorded where nothing tells its destination, and comes again: %s", async (method) => {
    const offerId = await offerTo("https://advertiser.example/later", { status: "paused" });
    const token = mint(offerId);
    h.database.down = true;
    const response = await click(token, "", { method });
    h.database.down = false;
    expect(response.status).toBe(503);
    expect(response.headers.get("refresh")).toBe("5");
    expect(response.headers.get("retry-after")).toBe("5");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toContain("One moment");
    expectRedirect(await click(token), "https://advertiser.example/later");
    await stored(h, offerId, 2);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1", "click duplicate 1"]);
  });
});
