import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { missing, said, wrapped } from "../../../support/api.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { call, makeTenant, ROUTES, titled, type Ids, type Tenant } from "../../../support/routes/auth-routes.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

/** The routes that name such a thing in their path. */
const named = (name: keyof Ids) => titled(ROUTES.filter(({ path }) => path.includes(`:${name}`)));

describe("another tenant's", () => {
  const unknown: Ids = {
    publisher: newId("publisher"),
    site: newId("site"),
    placement: newId("placement"),
    platform: newId("platform"),
    token: newId("token"),
    key: makeKey("public"),
  };
  const malformed: Ids = {
    publisher: "42",
    site: unknown.publisher,
    placement: "plc_'--",
    platform: "plat_",
    token: "tok",
    key: "lan_pk_",
  };
  let own: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    own = await makeTenant(h);
    other = await makeTenant(h);
  });

  it.each(named("publisher"))("publisher is forbidden, an unknown one is not found: %s", async (_, route) => {
    for (const kind of route.kinds.filter((k) => k !== "admin")) {
      expect(said(await call(h, route, other.ids, own.tokens[kind]))).toEqual([403, wrapped("FORBIDDEN")]);
    }
    for (const kind of route.kinds) {
      for (const ids of [unknown, malformed]) {
        expect(said(await call(h, route, ids, own.tokens[kind]))).toEqual(missing("Publisher", ids.publisher));
      }
    }
  });

  it.each([...named("site"), ...named("placement")])("is as unknown as none: %s", async (_, route) => {
    const name = route.path.includes(":site") ? "site" : "placement";
    const resource = name === "site" ? "Site" : "Placement";
    for (const kind of route.kinds) {
      for (const ids of kind === "admin" ? [unknown, malformed] : [other.ids, unknown, malformed]) {
        expect(said(await call(h, route, ids, own.tokens[kind]))).toEqual(missing(resource, ids[name]));
      }
    }
  });

  it.each([...named("token"), ...named("key")])("is as unknown as none: %s", async (_, route) => {
    const name = route.path.includes(":token") ? "token" : "key";
    const resource = name === "token" ? "Token" : "PublicKey";
    for (const kind of route.kinds) {
      for (const { [name]: id } of [other.ids, unknown, malformed]) {
        const ids = { ...own.ids, [name]: id };
        expect(said(await call(h, route, ids, own.tokens[kind]))).toEqual(missing(resource, id));
      }
    }
  });

  it.each(named("platform"))("platform is unknown: %s", async (_, route) => {
    for (const ids of [unknown, malformed]) {
      expect(said(await call(h, route, ids, own.tokens.admin))).toEqual(missing("Platform", ids.platform));
    }
  });

  it("rows are as they were", async () => {
    const { ids } = other;
    const rows = await h.rows(
      `select p.status, p.ads_enabled, p.elevated_limits, s.status as site, s.ads_enabled as ads, l.name
       from publishers p join sites s on s.publisher_id = p.id join placements l on l.site_id = s.id where p.id = $1`,
      [ids.publisher],
    );
    const name = `Placement ${ids.placement}`;
    expect(rows).toEqual([
      { status: "active", ads_enabled: true, elevated_limits: false, site: "active", ads: true, name },
    ]);
  });
});

describe("the right credential", () => {
  it.each(titled(ROUTES))("%s", async (_, route) => {
    for (const kind of route.kinds) {
      const tenant = await makeTenant(h);
      const hasName = route.method === "POST" && Object.hasOwn(route.body ?? {}, "name");
      const body = hasName ? { ...route.body, name: `Made by ${kind}` } : route.body;
      const { status, json } = await call(h, { ...route, ...(body ? { body } : {}) }, tenant.ids, tenant.tokens[kind]);
      expect([status, json]).toMatchObject([route.method === "POST" ? 201 : 200, { success: true }]);
    }
  });
});
