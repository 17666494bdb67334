import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, invalid, missing, said, wrapped } from "../../../support/api.ts";
import { makePlacement } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import {
  FOREIGN,
  match,
  RENAMED,
  RESOURCES,
  situate,
  stale,
  tagPattern,
  type Resource,
} from "../../../support/routes/tagged.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const resourceOf = (what: string) => RESOURCES.find(([named]) => named === what)?.[1] as Resource;
const of = (what: string) => situate(h, resourceOf(what));

describe("a tag", () => {
  it("of an offer is not moved by what is counted, nor by its creatives", async () => {
    const { id, world, tagNow } = await of("an offer");
    const tag = await tagNow();
    await h.rows("update offers set capped_through = 'infinity', taper = 2, changed_at = now() where id = $1", [id]);
    await h.rows("insert into offer_usage (offer_id, day, used) values ($1, current_date, 5)", [id]);
    const path = `/api/v1/offers/${id}/creatives/${world.creative.id}`;
    const body = { destinationUrl: "https://elsewhere.example/" };
    expect((await api(h, "PUT", path, { token: world.platform.token, body })).status).toBe(200);
    expect(await tagNow()).toBe(tag);
  });

  it("of a token is not moved by its use, nor by another key that encrypts it", async () => {
    const { id, tagNow } = await of("a token");
    const tag = await tagNow();
    await h.rows("update api_tokens set last_used_on = '2026-01-01', bearer_ciphertext = 'other' where id = $1", [id]);
    expect(await tagNow()).toBe(tag);
  });

  it("of a site is not moved by who makes it again, nor by a placement that comes onto it by its name", async () => {
    const { world, ask, tagNow } = await of("a site");
    const { privateKey: token } = world.publisher;
    const tag = await tagNow();
    const { json } = await ask("GET");
    const { name: storeName } = (json as { data: { name: string } }).data;
    const made = { name: storeName, description: "Other" };
    expect((await api(h, "POST", "/api/site", { token, body: made })).status).toBe(200);
    const placement = { ...RENAMED, pageType: "ORDER_PAGE", storeName, storeUrl: "https://other.example/" };
    expect(said(await api(h, "POST", "/api/placements", { token, body: placement }))).toMatchObject([
      201,
      { data: { siteId: world.site.id } },
    ]);
    expect(await tagNow()).toBe(tag);
  });

  it.each(["an advertiser", "an offer", "a creative"])("of %s stays when it is archived again", async (what) => {
    const { id, world, ask } = await of(what);
    const { table } = resourceOf(what);
    // Somebody has seen the offer: what was never seen is deleted.
    await h.rows("update offers set daily_cap = 5 where id = $1", [world.offer.id]);
    const first = await ask("DELETE");
    expect(first.headers.get("etag")).toEqual(tagPattern);
    const row = () => h.rows(`select * from ${table} where id = $1`, [id]);
    const before = await row();
    const headers = match(first.headers.get("etag") ?? "");
    expect((await ask("DELETE", "", { headers })).headers.get("etag")).toBe(first.headers.get("etag"));
    expect(await row()).toEqual(before);
    expect((await ask("DELETE", "", { headers: match(FOREIGN) })).status).toBe(412);
  });

  it("comes with what is created, and with what is archived", async () => {
    const { world } = await of("an offer");
    const { token } = world.platform;
    const made = await api(h, "POST", "/api/v1/advertisers", { token, body: { name: newId("event") } });
    expect(made.headers.get("etag")).toEqual(tagPattern);
    const path = `/api/v1/advertisers/${world.advertiser.id}`;
    const archived = await api(h, "DELETE", path, { token });
    expect(archived.json).toMatchObject({ message: "Advertiser archived successfully" });
    expect(archived.headers.get("etag")).toBe((await api(h, "GET", path, { token })).headers.get("etag"));
  });

  it.each(["abc", '"abc', 'W/abc, "d"', "*, *", '"a" "b" c'])("must be one: %s is told", async (header) => {
    const { ask } = await of("a site");
    const answer = await ask("PUT", "", { body: RENAMED, headers: match(header) });
    expect(said(answer)).toEqual(invalid("If-Match: must be * or tags in quotes, as ETag has them"));
  });

  it("of nobody's making never matches", async () => {
    const { ask, tagNow } = await of("a site");
    const headers = match(`"", "a b", "'; --", "ä"`);
    expect(said(await ask("PUT", "", { body: RENAMED, headers }))).toEqual(stale(await tagNow()));
  });

  it("matters not where there is nothing, nor where a rule forbids the change whatever the version", async () => {
    const { ask, world } = await of("a site");
    const id = newId("site");
    const { privateKey: token } = world.publisher;
    const gone = await api(h, "PUT", `/api/site/${id}`, { token, body: RENAMED, headers: match(FOREIGN) });
    expect(said(gone)).toEqual(missing("Site", id));
    await makePlacement(h.db, world.site.id);
    const headers = match(FOREIGN);
    expect(said(await ask("DELETE", "", { headers }))).toEqual([403, wrapped("FORBIDDEN", { activePlacements: 1 })]);
  });
});
