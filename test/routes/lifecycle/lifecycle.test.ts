import { beforeAll, describe, expect, it } from "vitest";
import { api, idOf, said, type Call } from "../../support/api.ts";
import { makeInventory, makePlatform } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const ADDRESS = "203.0.113.7";
const CALLERS = ["publisher", "platform", "admin"] as const;
type State = { status: "active" | "inactive"; adsEnabled: boolean };

/** A publisher of a platform of its own, and a site, both in a state. */
const makeSubjects = async ({ status, adsEnabled }: State) => {
  const platform = await makePlatform(h.db);
  const { publisher, site } = await makeInventory(h.db, {
    publisher: { platformId: platform.id, status, adsEnabled },
    site: { status, adsEnabled },
  });
  return {
    publisher,
    site,
    tokens: { publisher: publisher.privateKey, platform: platform.token, admin: SECRETS.ADMIN_TOKEN },
    sources: { publisher: `publisher:${publisher.id}`, platform: `service:${platform.id}`, admin: "admin" },
  };
};

const patch = (path: string, call: Call) =>
  api(h, "PATCH", path, { ...call, headers: { "cf-connecting-ip": ADDRESS, ...call.headers } });

const STATES: State[] = [true, false].flatMap((adsEnabled) => [
  { status: "active" as const, adsEnabled },
  { status: "inactive" as const, adsEnabled },
]);
const SWITCHES = [{ status: "active" }, { status: "inactive" }, { adsEnabled: true }, { adsEnabled: false }] as const;

/** Every switch from every state. */
const TRANSITIONS = STATES.flatMap((before) => SWITCHES.map((change) => [before, change] as const));

/** Tells whether a switch sets what is there already: then nothing is updated. */
const isSame = (before: object, change: object) => JSON.stringify({ ...before, ...change }) === JSON.stringify(before);

const messageOf = (kind: string, change: (typeof SWITCHES)[number]) =>
  "status" in change
    ? `${kind} status updated to ${change.status}`
    : `${kind} ads ${change.adsEnabled ? "enabled" : "disabled"}`;
const routeOf = (change: object) => ("status" in change ? "status" : "ads");

describe.each(CALLERS)("a %s switches a publisher", (caller) => {
  it.each(TRANSITIONS)("from %j to %j", async (before, change) => {
    const { publisher, tokens, sources } = await makeSubjects(before);
    const { id, name } = publisher;
    const body = { ...change, reason: " Uninstalled " };
    const answer = await patch(`/api/v1/publishers/${id}/${routeOf(change)}`, { token: tokens[caller], body });
    const after = { ...before, ...change };
    expect(said(answer)).toEqual([
      200,
      { success: true, data: { id, name, ...after }, message: messageOf("Publisher", change) },
    ]);
    const rows = await h.rows(
      `select status, ads_enabled as "adsEnabled", updated_at > $2 as updated from publishers where id = $1`,
      [id, publisher.updatedAt],
    );
    expect(rows).toEqual([{ ...after, updated: !isSame(before, change) }]);
    expect(await h.rows("select * from webhook_events where publisher_id = $1", [id])).toEqual([
      {
        id: idOf("evt"),
        publisher_id: id,
        source: sources[caller],
        event_type: "status" in change ? "publisher_status_change" : "publisher_ads_toggle",
        payload: { publisherId: id, callerIpAddress: ADDRESS },
        reason: "Uninstalled",
        before,
        after,
        created_at: expect.any(Date),
      },
    ]);
    expect(await h.rows("select * from webhook_logs where publisher_id = $1", [id])).toEqual([]);
  });
});

describe("a publisher switches a site", () => {
  it.each([...TRANSITIONS, ...SWITCHES.map((change) => [{ status: "pending", adsEnabled: true }, change] as const)])(
    "from %j to %j",
    async (before, change) => {
      const { publisher, site, tokens, sources } = await makeSubjects({ status: "active", adsEnabled: true });
      const { id, name } = site;
      await h.rows("update sites set status = $2, ads_enabled = $3 where id = $1", [
        id,
        before.status,
        before.adsEnabled,
      ]);
      const answer = await patch(`/api/site/${id}/${routeOf(change)}`, { token: tokens.publisher, body: change });
      const after = { ...before, ...change };
      expect(said(answer)).toEqual([
        200,
        { success: true, data: { id, name, ...after }, message: messageOf("Site", change) },
      ]);
      const rows = await h.rows(
        `select s.status, s.ads_enabled as "adsEnabled", s.updated_at > $2 as updated, p.status as publisher
       from sites s join publishers p on p.id = s.publisher_id where s.id = $1`,
        [id, site.updatedAt],
      );
      expect(rows).toEqual([{ ...after, updated: !isSame(before, change), publisher: "active" }]);
      expect(await h.rows("select * from webhook_logs where publisher_id = $1", [publisher.id])).toEqual([
        {
          id: idOf("evt"),
          publisher_id: publisher.id,
          site_id: id,
          source: sources.publisher,
          event_type: "status" in change ? "site_status_change" : "site_ads_toggle",
          payload: { siteId: id, publisherId: publisher.id, callerIpAddress: ADDRESS },
          reason: null,
          before,
          after,
          created_at: expect.any(Date),
        },
      ]);
      expect(await h.rows("select * from webhook_events where publisher_id = $1", [publisher.id])).toEqual([]);
    },
  );
});

describe("a site's status", () => {
  it.each(["active", "inactive"])("may be set to %s by PUT, which leaves no audit record", async (status) => {
    const { site, tokens } = await makeSubjects({ status: "active", adsEnabled: false });
    const answer = await api(h, "PUT", `/api/site/${site.id}`, { token: tokens.publisher, body: { status } });
    expect(answer.status).toBe(200);
    const rows = await h.rows(`select status, ads_enabled as "adsEnabled" from sites where id = $1`, [site.id]);
    expect(rows).toEqual([{ status, adsEnabled: false }]);
    expect(await h.rows("select * from webhook_logs where site_id = $1", [site.id])).toEqual([]);
  });
});
