import { describe, expect, it } from "vitest";
import { keepSession } from "../../functions/storefront/browser/demo/session.ts";

const NOTHING = { requests: 0, impressions: 0, viewable: 0, clicks: 0, closes: 0 };

describe("keepSession", () => {
  it("counts what a report has gained, up to what was sent", () => {
    const session = keepSession({ impressions: 40, closes: 7 });
    session.note("impressions", "/vdata?t=1", false);
    session.note("impressions", "/vdata?t=2", false);
    session.note("closes", "/close?t=1", false);
    expect(session.sent()).toEqual({ ...NOTHING, impressions: 2, closes: 1 });
    expect(session.counted({ impressions: 40, closes: 7 })).toEqual(NOTHING);
    expect(session.counted({ impressions: 41, closes: 8, clicks: 3 })).toEqual({
      ...NOTHING,
      impressions: 1,
      closes: 1,
    });
    expect(session.counted({ impressions: 99, closes: 99 })).toEqual({ ...NOTHING, impressions: 2, closes: 1 });
  });

  it("takes a beacon that is sent again for one, but not a request", () => {
    const session = keepSession({});
    for (const name of ["requests", "impressions", "viewable"] as const) {
      session.note(name, "/same", false);
      session.note(name, "/same", false);
    }
    expect(session.sent()).toEqual({ ...NOTHING, requests: 2, impressions: 1, viewable: 1 });
  });

  it("begins at zero, and leaves to the last customer what is counted late", () => {
    const session = keepSession({ clicks: 1 });
    session.note("clicks", "/click?t=1", false);
    session.begin();
    expect(session.sent()).toEqual(NOTHING);
    session.note("clicks", "/click?t=2", false);
    expect(session.counted({ clicks: 2 })).toEqual(NOTHING);
    expect(session.counted({ clicks: 3 })).toEqual({ ...NOTHING, clicks: 1 });
    session.begin();
    session.note("clicks", "/click?t=3", false);
    expect(session.counted({ clicks: 3 })).toEqual(NOTHING);
    expect(session.counted({ clicks: 4 })).toEqual({ ...NOTHING, clicks: 1 });
  });

  it("expects nothing to be counted in test mode", () => {
    const session = keepSession({});
    session.note("closes", "/close?t=1", true);
    session.begin();
    session.note("closes", "/close?t=2", true);
    expect(session.sent()).toEqual({ ...NOTHING, closes: 1 });
    expect(session.counted({ closes: 5 })).toEqual(NOTHING);
    session.note("closes", "/close?t=3", false);
    expect(session.counted({ closes: 1 })).toEqual({ ...NOTHING, closes: 1 });
  });

  it("says that it does not know when the report could not be read before", () => {
    const session = keepSession(null);
    session.note("closes", "/close?t=1", false);
    expect(session.counted({ closes: 1 })).toBeNull();
  });
});
