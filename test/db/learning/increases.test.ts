import { describe, expect, it } from "vitest";
import { unlearnedOf, type TeachingCounts } from "../../../db/learning/increases.ts";

const NOTHING: TeachingCounts = {
  impressions: 0,
  clicks: 0,
  conversions: 0,
  untaught_clicks: 0,
  inert_clicks: 0,
  learned_impressions: 0,
  learned_clicks: 0,
  learned_conversions: 0,
  learned_untaught_clicks: 0,
  learned_inert_clicks: 0,
};
const NONE = { impressions: 0, clicks: 0, clicked: 0, conversions: 0 };

describe("unlearnedOf", () => {
  it.each<[string, Partial<TeachingCounts>, Partial<typeof NONE>]>([
    ["nothing was counted", {}, {}],
    [
      "nothing was learned",
      { impressions: 9, clicks: 3, conversions: 1 },
      { impressions: 9, clicks: 3, clicked: 3, conversions: 1 },
    ],
    ["some clicks teach only of conversions", { clicks: 3, untaught_clicks: 2 }, { clicks: 3, clicked: 5 }],
    ["some clicks teach only of clicks", { clicks: 3, inert_clicks: 2 }, { clicks: 3, clicked: 1 }],
    ["some clicks teach nothing", { clicks: 3, untaught_clicks: 2, inert_clicks: 2 }, { clicks: 3, clicked: 3 }],
    [
      "some was learned",
      { impressions: 9, learned_impressions: 4, clicks: 3, learned_clicks: 2, conversions: 2, learned_conversions: 1 },
      { impressions: 5, clicks: 1, clicked: 1, conversions: 1 },
    ],
    [
      "all was learned",
      {
        clicks: 3,
        untaught_clicks: 2,
        inert_clicks: 1,
        learned_clicks: 3,
        learned_untaught_clicks: 2,
        learned_inert_clicks: 1,
      },
      {},
    ],
    ["a conversion was taken back", { conversions: 1, learned_conversions: 2 }, { conversions: -1 }],
    ["more clicks were learned than there are", { clicks: 3, inert_clicks: 3, learned_clicks: 3 }, {}],
  ])("tells what is left where %s", (_, counts, left) => {
    expect(unlearnedOf({ ...NOTHING, ...counts })).toEqual({ ...NONE, ...left });
  });
});
