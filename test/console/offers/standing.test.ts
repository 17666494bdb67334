import { expect, it } from "vitest";
import { hindrancesOf } from "../../../functions/console/core/offers/standing.ts";

const NOW_TEXT = "2026-11-26T10:00:00Z";
const NOW = Date.parse(NOW_TEXT);
const OFFER = { startsAt: null, endsAt: null, usage: null } as const;
const [EARLIER, LATER] = ["2026-11-26T09:00:00Z", "2026-11-27T10:00:00Z"];

it.each([
  ["nothing", {}, []],
  [
    "nothing while it runs",
    { startsAt: EARLIER, endsAt: LATER, usage: { reached: null }, advertiser: { status: "active" } },
    [],
  ],
  ["nothing as soon as it starts", { startsAt: NOW_TEXT }, []],
  ["that it ends now", { endsAt: NOW_TEXT }, [{ why: "ended", at: NOW_TEXT }]],
  ["that it starts later", { startsAt: LATER }, [{ why: "starts", at: LATER }]],
  ["that it has ended", { endsAt: EARLIER }, [{ why: "ended", at: EARLIER }]],
  ["its cap", { usage: { reached: "DAILY" } }, [{ why: "cap" }]],
  ["its advertiser", { advertiser: { status: "paused" } }, [{ why: "advertiser", status: "paused" }]],
  [
    "all of it",
    { startsAt: LATER, usage: { reached: "LIFETIME" }, advertiser: { status: "archived" } },
    [{ why: "starts", at: LATER }, { why: "cap" }, { why: "advertiser", status: "archived" }],
  ],
] as const)("an offer is kept from everybody by %s", (_, given, hindrances) => {
  expect(hindrancesOf({ ...OFFER, ...given }, NOW)).toEqual(hindrances);
});
