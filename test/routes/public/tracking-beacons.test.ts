import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { DAY, hitsOf, mint, stored, storedHits } from "../../support/tracking/hits.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import type { RequestInit } from "../../support/worker-fetch.ts";

const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const IMG_ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
const PAGE_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const OLD_KEY = "t0:the-secret-before-the-last-rotation";

let h: Harness;

beforeAll(async () => {
  h = await startHarness({ secrets: { TRACKING_KEYS: `${SECRETS.TRACKING_KEYS},${OLD_KEY}` } });
});
afterAll(() => h.close());

/** Sends a hit after all others of a test, so that its arrival proves the others' absence. */
const nothingElseThan = async (offerId: string, hits: string[]) => {
  const last = newId("offer");
  await h.fetch(`/vdata?t=${mint(last)}`);
  await stored(h, last, 1);
  expect(await hitsOf(h, offerId)).toEqual(hits);
};

describe.each(["/vdata", "/close"])("%s", (path) => {
  it.each<[string, RequestInit]>([
    ["GET", {}],
    ["POST without a body", { method: "POST" }],
    ["POST as sendBeacon does", { method: "POST", body: "", headers: { "Content-Type": "text/plain;charset=UTF-8" } }],
    ["POST with any body", { method: "POST", body: "\0{not json", headers: { "Content-Type": "application/json" } }],
    ["GET of a page", { headers: { Accept: PAGE_ACCEPT } }],
    ["GET of fetch()", { headers: { Accept: "*/*" } }],
    ["GET of anything but images", { headers: { Accept: "image/*;q=0, */*" } }],
  ])("answers 204 to %s", async (_, init) => {
    const response = await h.fetch(`${path}?t=${mint(newId("offer"))}`, init);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(response.headers.get("x-request-id")).toMatch(/\S/);
  });

  it.each(["GET", "POST"])("answers an image of one pixel where an image is asked for, by %s", async (method) => {
    const response = await h.fetch(`${path}?t=${mint(newId("offer"))}`, { method, headers: { Accept: IMG_ACCEPT } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/gif");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(GIF);
  });

  it("refuses what it did not sign", async () => {
    const token = mint(newId("offer"));
    const flipped = token.replace(/.(?=.{40}$)/, (character) => (character === "A" ? "B" : "A"));
    const other = `${token.slice(0, -26)}${newId("offer").slice(-26)}`;
    const foreign = mint(newId("offer"), { keys: "t1:somebody-else's-secret" });
    const unknownKey = mint(newId("offer"), { keys: "t9:somebody-else's-secret" });
    for (const query of [
      "",
      "?t=",
      "?t=x",
      `?t=${flipped}`,
      `?t=${other}`,
      `?t=${foreign}`,
      `?t=${unknownKey}`,
      `?T=${token}`,
      `?t=${token}x`,
      `?t=%00${token}`,
      `?t=%E0%A4${token}`,
      `?t=x&t=${token}`,
    ]) {
      const response = await h.fetch(path + query);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toEqual({
        success: false,
        error: { code: "VALIDATION_FAILED", message: "The tracking token is missing, invalid or expired" },
      });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
  });

  it("refuses a token after 24 hours, and keeps the hit uncounted", async () => {
    const kind = path === "/close" ? "close" : "impression";
    const [fresh, old] = [newId("offer"), newId("offer")];
    const young = mint(fresh, { issuedAt: Date.now() - DAY + 60_000 });
    expect((await h.fetch(`${path}?t=${young}`)).status).toBe(204);
    const response = await h.fetch(`${path}?t=${mint(old, { issuedAt: Date.now() - DAY - 60_000 })}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ success: false, error: { code: "VALIDATION_FAILED" } });
    await stored(h, old, 1);
    expect(await hitsOf(h, old)).toEqual([`${kind} expired 1`]);
    expect(await hitsOf(h, fresh)).toEqual([`${kind} counted 1`]);
  });

  it("opens itself to every page for GET and POST", async () => {
    const response = await h.fetch(path, {
      method: "OPTIONS",
      headers: {
        Origin: "https://shop.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET,POST");
    expect(response.headers.get("access-control-allow-headers")).toBe("content-type");
    expect(response.headers.get("access-control-max-age")).toBe("7200");
  });

  it.each(["PUT", "PATCH", "DELETE"])("answers 405 to %s", async (method) => {
    const response = await h.fetch(`${path}?t=${mint(newId("offer"))}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(await response.json()).toMatchObject({ success: false, error: { code: "METHOD_NOT_ALLOWED" } });
  });
});

describe.concurrent("what counts", () => {
  it("counts a displayed offer, and with v=1 a viewable one", async () => {
    const offerId = newId("offer");
    const token = mint(offerId);
    for (const query of [`t=${token}`, `t=${token}&v=1`, `t=${token}&v=0`, `v=1&t=${token}`])
      await h.fetch(`/vdata?${query}`);
    await stored(h, offerId, 4);
    expect(await hitsOf(h, offerId)).toEqual([
      "impression counted 1",
      "impression duplicate 1",
      "viewable counted 1",
      "viewable duplicate 1",
    ]);
  });

  it.each<[query: string, declines: number, endings: number, closing: string | null]>([
    ["&r=decline", 1, 0, "decline"],
    ["&r=close", 0, 1, "close"],
    ["", 0, 0, null],
    ["&r=", 0, 0, null],
    ["&r=Decline", 0, 0, null],
    ["&r=declined", 0, 0, null],
    ["&r=%00", 0, 0, null],
    ["&r=constructor", 0, 0, null],
    ["&r=end&r=close", 0, 0, null],
  ])("counts a close with %j for what it says", async (query, declines, endings, closing) => {
    const offerId = newId("offer");
    expect((await h.fetch(`/close?t=${mint(offerId)}${query}`, { method: "POST" })).status).toBe(204);
    await stored(h, offerId, 1);
    const counted = await h.rows(
      `select c.closes::int, c.declines::int, c.endings::int, e.closing from daily_counters c
      join events e using (offer_id) where offer_id = $1`,
      [offerId],
    );
    expect(counted).toEqual([{ closes: 1, declines, endings, closing }]);
  });

  it("says how only of closes, and of the first one of an offer", async () => {
    const offerId = newId("offer");
    const token = mint(offerId);
    await h.fetch(`/vdata?t=${token}&r=decline`);
    await h.fetch(`/close?t=${token}&r=close`);
    await stored(h, offerId, 2);
    await h.fetch(`/close?t=${token}&r=decline`);
    await stored(h, offerId, 3);
    const counted = await h.rows(
      "select impressions::int, closes::int, declines::int, endings::int from daily_counters where offer_id = $1",
      [offerId],
    );
    expect(counted).toEqual([{ impressions: 1, closes: 1, declines: 0, endings: 1 }]);
  });

  it("counts neither HEAD nor what a browser fetches ahead", async () => {
    const offerId = newId("offer");
    const token = mint(offerId);
    const ahead: Record<string, string>[] = [
      { "Sec-Purpose": "prefetch" },
      { "Sec-Purpose": "prefetch;prerender" },
      { Purpose: "prefetch" },
      { "X-Moz": "prefetch" },
      { "X-Purpose": "preview" },
    ];
    for (const headers of ahead) expect((await h.fetch(`/vdata?t=${token}`, { headers })).status).toBe(204);
    const head = await h.fetch(`/vdata?t=${token}`, { method: "HEAD", headers: { Accept: IMG_ACCEPT } });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    await nothingElseThan(offerId, []);
  });

  it.each([
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
      "bot",
    ],
    ["facebookexternalhit/1.1", "bot"],
    ["curl-crawler/1.0 (bot)", "bot"],
    [CHROME, "counted"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
      "counted",
    ],
    ["okhttp/4.12.0", "counted"],
    ["curl/8.5.0", "counted"],
    ["node", "counted"],
    ["Dart/3.9 (dart:io)", "counted"],
    ["", "counted"],
  ])("judges the user agent %j as %s", async (userAgent, outcome) => {
    const offerId = newId("offer");
    await h.fetch(`/vdata?t=${mint(offerId)}`, { headers: { "User-Agent": userAgent } });
    await stored(h, offerId, 1);
    expect(await hitsOf(h, offerId)).toEqual([`impression ${outcome} 1`]);
  });

  it("keeps hits of test mode apart", async () => {
    const offerId = newId("offer");
    await h.fetch(`/vdata?t=${mint(offerId, { isTest: true })}`);
    await stored(h, offerId, 1);
    expect(await hitsOf(h, offerId)).toEqual(["impression test 1"]);
    expect(await h.rows("select * from daily_counters where offer_id = $1", [offerId])).toEqual([]);
  });

  it("accepts what the key before the last rotation signed", async () => {
    const offerId = newId("offer");
    expect((await h.fetch(`/vdata?t=${mint(offerId, { keys: OLD_KEY })}`)).status).toBe(204);
    expect(await stored(h, offerId, 1)).toBe(1);
    expect(await storedHits(h, offerId)).toBe(1);
  });
});
