import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, idOf, timestamp } from "../../support/api.ts";
import { makePlacement } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { addressOf, makeWorld, ROUTES, tokenOf, type Route, type World } from "../../support/routes/every-route.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const headers = { "cf-connecting-ip": "203.0.113.9" };

/** Calls a route of the table with what it accepts, from an address. */
const change = async (name: Route["route"], world: World) => {
  const route = ROUTES.find((entry) => entry.route === name);
  if (!route) throw new Error(`${name} is not in the table`);
  const { method, path } = addressOf(route, world);
  const answer = await api(h, method, path, { token: tokenOf(route, world), body: route.body?.(world), headers });
  expect([200, 201]).toContain(answer.status);
  return answer;
};

const deleted = (world: World) => change("DELETE /api/v1/publishers/:publisher", world);

type Record = { publisherId: string | null; resource: { id: string } };
const listed = async (query: string, token: string) =>
  dataOf<Record[]>(await api(h, "GET", `/api/v1/audit?${query}`, { token }));

/** Counts the records that hold the id or the name of a publisher, or the id of its site. */
const naming = async ({ publisher, site }: World) => {
  const named = "exists (select from unnest($1::text[]) n where strpos(audit_log::text, n) > 0)";
  return await h.count(`audit_log where ${named}`, [[publisher.id, publisher.name, site.id]]);
};

describe("the audit of a deleted publisher", () => {
  it("goes with it, but for the record of the deletion, which holds nothing of persons", async () => {
    const world = await makeWorld(h);
    const { publisher, platform, site } = world;
    for (const name of [
      "PUT /api/v1/publishers/:publisher",
      "POST /api/v1/publishers/:publisher/api-tokens",
      "POST /api/v1/publishers/:publisher/public-keys",
      "PUT /api/site/:site",
      "PUT /api/placements/:placement",
      "DELETE /api/v1/publishers/:publisher/sessions",
    ] as const)
      await change(name, world);
    expect((await listed(`publisherId=${publisher.id}`, platform.token)).length).toBeGreaterThanOrEqual(6);
    const requestId = (await deleted(world)).headers.get("x-request-id");
    const record = {
      id: idOf("evt"),
      actor: { kind: "publisher", id: publisher.id },
      resource: { kind: "publisher", id: publisher.id },
      action: "delete",
      publisherId: publisher.id,
      platformId: platform.id,
      before: null,
      after: null,
      reason: null,
      requestId,
      callerIpAddress: null,
      createdAt: timestamp,
    };
    for (const token of [platform.token, SECRETS.ADMIN_TOKEN]) {
      expect(await listed(`publisherId=${publisher.id}`, token)).toEqual([record]);
      expect(await listed(`id=${site.id}`, token)).toEqual([]);
    }
    expect(await naming(world)).toBe(1);
  });

  it("of another publisher stays", async () => {
    const [world, other] = [await makeWorld(h), await makeWorld(h)];
    await change("PUT /api/site/:site", other);
    await deleted(world);
    expect(await listed(`publisherId=${other.publisher.id}`, other.platform.token)).toHaveLength(1);
  });

  it("gains nothing afterwards: an erasure is then the administrator's", async () => {
    const world = await makeWorld(h);
    const { id } = world.publisher;
    await h.rows(
      `insert into daily_counters (day, publisher_id, site_id, placement_id, advertiser_id, offer_id, country)
      values ('2026-11-01', $1, $2, $3, $4, $5, 'US')`,
      [id, world.site.id, world.placement.id, world.advertiser.id, world.offer.id],
    );
    await deleted(world);
    const path = `/api/v1/publishers/${id}/sessions`;
    const body = { email: "who@test.example" };
    expect((await api(h, "DELETE", path, { token: SECRETS.ADMIN_TOKEN, body, headers })).status).toBe(200);
    expect(await listed(`publisherId=${id}`, SECRETS.ADMIN_TOKEN)).toHaveLength(1);
    expect(await listed(`id=${id}&action=erase`, SECRETS.ADMIN_TOKEN)).toMatchObject([{ publisherId: null }]);
    expect(await listed(`id=${id}&action=erase`, world.platform.token)).toEqual([]);
  });
});

it.each([1, 2, 3])("what is changed while its publisher is deleted leaves no record behind: round %i", async () => {
  const world = await makeWorld(h);
  const { publisher, site, tokenId } = world;
  const root = `/api/v1/publishers/${publisher.id}`;
  const placements = await Promise.all(
    Array.from({ length: 8 }, () => makePlacement(h.db, site.id, { status: "inactive" })),
  );
  const own = { token: publisher.privateKey };
  await Promise.all([
    ...placements.map(({ id }) => api(h, "DELETE", `/api/placements/${id}`, own)),
    api(h, "DELETE", root, own),
    ...placements.map(({ id }) => api(h, "PUT", `${root}/api-tokens/${tokenId}`, { ...own, body: { name: id } })),
  ]);
  expect(await h.rows("select id from publishers where id = $1", [publisher.id])).toEqual([]);
  expect(await naming(world)).toBe(1);
});

it("the audit of what is not a publisher outlives it", async () => {
  const world = await makeWorld(h);
  await change("PUT /api/site/:site", world);
  await change("DELETE /api/v1/offers/:offer", world);
  expect(await listed(`id=${world.offer.id}`, world.platform.token)).toMatchObject([{ action: "delete" }]);
  expect(await listed(`id=${newId("publisher")}`, world.platform.token)).toEqual([]);
});
