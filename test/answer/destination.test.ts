import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clickId,
  encodedMacros,
  fillMacros,
  MACROS,
  shopOf,
  unknownMacros,
} from "../../functions/answer/destination.ts";
import type { TrackedOffer } from "../../functions/answer/tracking-token.ts";

const offer: TrackedOffer = {
  decisionId: "dec_01m7yfxddresnrhs278v6axnnm",
  placementId: "plc_01m7yfxddsesnrhs3551vjgzr1",
  offerId: "ofr_01m7yg6bwmfzxr09ym9c6dq9qv",
  creative: 0,
  revision: 1,
  place: 0,
  country: "US",
  arm: "0",
  isTest: false,
  sessionHash: "abcdefghijklmnopqrst-_",
  emailHash: null,
  issuedAt: 0,
};
const click = "01m7yfxddresnrhs278v6axnnm-01m7yg6bwmfzxr09ym9c6dq9qv";

const around = { siteId: "site_1", advertiserSerial: 7, sessionKey: "a key" };
const sessionOf = (more: Partial<TrackedOffer & typeof around>): string =>
  fillMacros("{session_id}", { ...offer, ...more }, { ...around, ...more });

describe("clickId", () => {
  it("names decision and offer", () => {
    expect(clickId(offer)).toBe(click);
  });
});

describe("unknownMacros", () => {
  it.each([
    ["https://a.example/", []],
    [`https://a.example/?a=${MACROS.join("&a=")}`, []],
    ["https://a.example/{click_id}{session_id}{placement_id}{site_id}{offer_id}{country}", []],
    ["https://a.example/}{country}", []],
    ["https://a.example/?a={x}&b={country}&c={x}&d={ country }", ["{x}", "{ country }"]],
    ["https://a.example/?a={{country}}{}", ["{}"]],
    ["https://a.example/?a={country&b=}&c={", ["{country&b=}"]],
  ])("of %s", (destination, macros) => {
    expect(unknownMacros(destination)).toEqual(macros);
  });
});

describe("encodedMacros", () => {
  it.each([
    ["https://a.example/{click_id}?a={country}", []],
    ["https://a.example/%7Bclick_id%7D?a=%7bclick_id%7d&b=%7Bclick_id%7D", ["%7Bclick_id%7D", "%7bclick_id%7d"]],
    ["https://a.example/{click_id%7D%7Bcountry}", ["{click_id%7D", "%7Bcountry}"]],
    ["https://a.example/%7Bclickid%7D%7BCOUNTRY%7D%257Bcountry%257D", []],
  ])("of %s", (destination, macros) => {
    expect(encodedMacros(destination)).toEqual(macros);
  });
});

describe("fillMacros", () => {
  it.each([
    ["https://a.example/{click_id}", `https://a.example/${click}`],
    [
      "https://a.example/?p={placement_id}&o={offer_id}",
      `https://a.example/?p=${offer.placementId}&o=${offer.offerId}`,
    ],
    ["https://a.example/{country}/{country}", "https://a.example/US/US"],
    ["https://a.example/?q={site_id}", "https://a.example/?q=site%201%26a%3Db%23%7Bcountry%7D"],
    ["https://a.example/{unknown}/{CLICK_ID}/{ country }", "https://a.example/{unknown}/{CLICK_ID}/{ country }"],
    ["https://a.example/{constructor}{__proto__}{to_string}", "https://a.example/{constructor}{__proto__}{to_string}"],
    ["https://a.example/{{country}}/{country", "https://a.example/{US}/{country"],
    ["https://a.example/%7Bcountry%7D?$&$1$$", "https://a.example/%7Bcountry%7D?$&$1$$"],
    ["https://a.example/", "https://a.example/"],
  ])("makes of %s %s", (destination, filled) => {
    expect(fillMacros(destination, offer, { ...around, siteId: "site 1&a=b#{country}" })).toBe(filled);
  });

  it("names a session for each advertiser otherwise, and for one always alike", () => {
    const own = sessionOf({});
    expect(own).toMatch(/^[\w-]{22}$/);
    expect(sessionOf({ offerId: "ofr_01m7yg6bwmfzxr09ym9c6dq9qw", decisionId: "dec_other", siteId: "other" })).toBe(
      own,
    );
    const others = [{ advertiserSerial: 8 }, { sessionHash: "another session" }, { sessionKey: "another key" }];
    expect(new Set([own, offer.sessionHash, ...others.map(sessionOf)]).size).toBe(5);
  });

  it("leaves a session that nothing is kept of blank", () => {
    expect(fillMacros("https://a.example/?s={session_id}", { ...offer, sessionHash: null }, around)).toBe(
      "https://a.example/?s=",
    );
  });

  it("lets no value change the rest of the address", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (siteId, country) => {
        const filled = new URL(
          fillMacros(
            "https://a.example/x?a={site_id}&b={country}&c=1#end",
            { ...offer, country },
            { ...around, siteId },
          ),
        );
        expect([filled.host, filled.pathname, filled.hash]).toEqual(["a.example", "/x", "#end"]);
        expect([...filled.searchParams]).toEqual([
          ["a", siteId],
          ["b", country],
          ["c", "1"],
        ]);
      }),
    );
  });
});

describe("shopOf", () => {
  it.each([
    ["shop.example", "https://shop.example/"],
    ["https://www.shop.example/path?q=1#x", "https://www.shop.example/"],
    ["http://shop.example:8080", "http://shop.example:8080/"],
    ["HTTPS://Shop.example", "https://shop.example/"],
    ["shop.example/a?to=https://other.example", "https://shop.example/"],
    ["shop.example/https://other.example", "https://shop.example/"],
    ["bücher.example", "https://xn--bcher-kva.example/"],
    [null, null],
    ["", null],
    ["my shop", null],
    ["localhost", null],
    ["javascript:alert(1)", null],
    ["https://user:secret@shop.example", null],
  ])("makes of %s %s", (domain, address) => {
    expect(shopOf(domain)).toBe(address);
  });
});
