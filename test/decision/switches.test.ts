import { describe, expect, it } from "vitest";
import type { KeyDocument, PlacementDocument } from "../../db/documents/types.ts";
import { switchedOff } from "../../functions/decision/decide.ts";
import { placementDocument } from "../support/documents/documents.ts";

const publisher: KeyDocument = { publisherId: "pub_1", status: "active", adsEnabled: true, expiresAt: null };
const placement = placementDocument();

describe("switchedOff", () => {
  it("lets offers through when everything is on, in live and in test mode", () => {
    expect(switchedOff(publisher, placement)).toBeNull();
    expect(switchedOff(publisher, { ...placement, isLiveMode: false })).toBeNull();
  });

  const off: [string, Partial<KeyDocument>, Partial<PlacementDocument>][] = [
    ["publisher_inactive", { status: "inactive" }, {}],
    ["publisher_ads_disabled", { adsEnabled: false }, {}],
    ["site_not_active", {}, { siteStatus: "pending" }],
    ["site_not_active", {}, { siteStatus: "inactive" }],
    ["site_ads_disabled", {}, { siteAdsEnabled: false }],
    ["placement_inactive", {}, { status: "inactive" }],
  ];

  it.each(off)("says %s of %j %j", (reason, ofPublisher, ofPlacement) => {
    expect(switchedOff({ ...publisher, ...ofPublisher }, { ...placement, ...ofPlacement })).toBe(reason);
  });

  it("names the first of several, from the publisher down", () => {
    for (let from = 0; from < off.length; from++) {
      const rest = off.slice(from).toReversed();
      const ofPublisher = Object.assign({}, publisher, ...rest.map(([, over]) => over));
      const ofPlacement = Object.assign({}, placement, ...rest.map(([, , over]) => over));
      expect(switchedOff(ofPublisher, ofPlacement)).toBe(off[from]?.[0]);
    }
  });
});
