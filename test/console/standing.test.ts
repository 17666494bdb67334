import { expect, it } from "vitest";
import { hindrancesOf } from "../../functions/console/core/standing.ts";

const NOW = Date.parse("2026-11-26T10:00:00Z");
const OFFER = { startsAt: null, endsAt: null, usage: null } as const;
const [EARLIER, LATER] = ["2026-11-26T09:00:00Z", "2026-11-27T10:00:00Z"];

it.each([
  ["nothing", {}, undefined, []],
  ["nothing while it runs", { startsAt: EARLIER, endsAt: LATER, usage: { reached: null } }, "active", []],
  ["that it starts later", { startsAt: LATER }, "active", [{ why: "starts", at: LATER }]],
  ["that it has ended", { endsAt: EARLIER }, "active", [{ why: "ended", at: EARLIER }]],
  ["its cap", { usage: { reached: "DAILY" } }, undefined, [{ why: "cap" }]],
  ["its advertiser", {}, "paused", [{ why: "advertiser", status: "paused" }]],
  [
    "all of it",
    { startsAt: LATER, usage: { reached: "LIFETIME" } },
    "archived",
    [{ why: "starts", at: LATER }, { why: "cap" }, { why: "advertiser", status: "archived" }],
  ],
] as const)("an offer is kept from everybody by %s", (_, given, advertiser, hindrances) => {
  expect(hindrancesOf({ ...OFFER, ...given }, NOW, advertiser)).toEqual(hindrances);
});
