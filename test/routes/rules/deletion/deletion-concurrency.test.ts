import { beforeAll, describe, expect, it } from "vitest";
import { api, said, wrapped, type Answer, type Method } from "../../../support/api.ts";
import { makeInventory } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

type Inventory = Awaited<ReturnType<typeof makeInventory>>;
type Request = { method: Method; path: string; body?: object; token?: string };

/** A publisher with a site and an inactive placement, which nothing keeps from deletion. */
const idle = () => makeInventory(h.db, { placement: { status: "inactive" } });

const send = ({ publisher }: Inventory, { method, path, body, token = publisher.privateKey }: Request) =>
  api(h, method, path, { token, body });

const DELETIONS = {
  site: ({ site }: Inventory): Request => ({ method: "DELETE", path: `/api/site/${site.id}` }),
  publisher: ({ publisher }: Inventory): Request => ({ method: "DELETE", path: `/api/v1/publishers/${publisher.id}` }),
};

const unit = { name: "Unit", pageType: "THANK_YOU_PAGE" };
const store = (storeName: string) => ({ ...unit, storeName, storeUrl: "https://store.example" });

const activate = ({ placement }: Inventory): Request => ({
  method: "PATCH",
  path: `/api/placements/${placement.id}/status`,
  body: { status: "active" },
});
const addPlacement = ({ site }: Inventory): Request => ({
  method: "POST",
  path: "/api/placements",
  body: { ...unit, siteId: site.id },
});
const addToStore = ({ site }: Inventory): Request => ({
  method: "POST",
  path: "/api/placements",
  body: store(site.name),
});
const switchedByAdmin = ({ publisher }: Inventory): Request => ({
  method: "PATCH",
  path: `/api/v1/publishers/${publisher.id}/ads`,
  body: { adsEnabled: false },
  token: SECRETS.ADMIN_TOKEN,
});
const addToNewStore = (): Request => ({ method: "POST", path: "/api/placements", body: store("New") });

/** What leaves an active placement, and so excludes the deletion of what it is in. */
const rivals: [deletion: keyof typeof DELETIONS, rival: string, request: (fixture: Inventory) => Request][] = [
  ["site", "the activation of its placement", activate],
  ["site", "a new placement on it", addPlacement],
  ["publisher", "the activation of its placement", activate],
  ["publisher", "a new placement on its site", addPlacement],
  ["publisher", "a new placement on its site by name", addToStore],
  ["publisher", "a new placement on a new site", addToNewStore],
];

const switches = (path: (fixture: Inventory) => string, body: object, method: Method = "PATCH") => {
  const request = (fixture: Inventory): Request => ({ method, path: path(fixture), body });
  return request;
};

/** What may succeed before the deletion, or else finds nothing. */
const neighbours: typeof rivals = [
  ["site", "its status", switches(({ site }) => `/api/site/${site.id}/status`, { status: "inactive" })],
  ["site", "its ads", switches(({ site }) => `/api/site/${site.id}/ads`, { adsEnabled: false })],
  ["site", "its data", switches(({ site }) => `/api/site/${site.id}`, { orderVolume: 7 }, "PUT")],
  ["site", "its placement", switches(({ placement }) => `/api/placements/${placement.id}`, { name: "New" }, "PUT")],
  ["site", "its placement's end", ({ placement }) => ({ method: "DELETE", path: `/api/placements/${placement.id}` })],
  [
    "publisher",
    "its status",
    switches(({ publisher }) => `/api/v1/publishers/${publisher.id}/status`, { status: "inactive" }),
  ],
  [
    "publisher",
    "its name",
    switches(({ publisher }) => `/api/v1/publishers/${publisher.id}`, { contactName: "New" }, "PUT"),
  ],
  ["publisher", "its site's status", switches(({ site }) => `/api/site/${site.id}/status`, { status: "inactive" })],
  ["publisher", "its site's name", switches(({ site }) => `/api/site/${site.id}`, { name: "New" }, "PUT")],
  ["publisher", "its site's end", DELETIONS.site],
  ["publisher", "a new site", switches(() => "/api/site", { name: "New" }, "POST")],
  [
    "publisher",
    "its placement",
    switches(({ placement }) => `/api/placements/${placement.id}`, { name: "New" }, "PUT"),
  ],
  [
    "publisher",
    "its placement's end",
    ({ placement }) => ({ method: "DELETE", path: `/api/placements/${placement.id}` }),
  ],
];

const count = async (query: string, id: string) =>
  Number((await h.rows<{ n: string }>(`select count(*) as n from ${query}`, [id]))[0]?.n);

/** Sends a deletion and a rival at once, each first in turn, for as many publishers in parallel. */
const race = async (deletion: keyof typeof DELETIONS, rival: (fixture: Inventory) => Request, pairs: number) => {
  const fixtures = await Promise.all(Array.from({ length: pairs }, idle));
  const run = async (fixture: Inventory, index: number) => {
    const first = index % 2;
    const sent = [DELETIONS[deletion], rival].map((request) => () => send(fixture, request(fixture)));
    const answers = await Promise.all((first === 0 ? sent : sent.toReversed()).map((request) => request()));
    const [deleted, other] = [answers[first], answers[1 - first]];
    if (!deleted || !other) throw new Error("an answer is missing");
    return { fixture, deleted, other };
  };
  return Promise.all(fixtures.map(run));
};

const expectGone = (answer: Answer) => {
  if (answer.status === 401) expect(answer.json).toEqual(wrapped("UNAUTHORIZED"));
  else expect(answer).toMatchObject({ status: 404, json: { code: "RESOURCE_NOT_FOUND" } });
};

const DELETED = [200, { success: true, message: expect.any(String) as unknown }];

describe("the deletion of", () => {
  it.each(rivals)("a %s against %s: one of both happens", async (deletion, _, rival) => {
    for (const { fixture, deleted, other } of await race(deletion, rival, 20)) {
      const left = await count(`${deletion}s where id = $1`, fixture[deletion].id);
      const active = await count(
        "placements p join sites s on s.id = p.site_id where s.publisher_id = $1 and p.status = 'active'",
        fixture.publisher.id,
      );
      const happened = other.status < 300;
      expect({ deleted: said(deleted), left, active }).toEqual(
        happened
          ? { deleted: [403, wrapped("FORBIDDEN", { activePlacements: 1 })], left: 1, active: 1 }
          : { deleted: DELETED, left: 0, active: 0 },
      );
      if (!happened) expectGone(other);
    }
  });

  it.each(neighbours)("a %s against %s: it is gone, with everything below", async (deletion, _, rival) => {
    for (const { fixture, deleted, other } of await race(deletion, rival, 6)) {
      expect(deleted.status === 200 || (deleted.status === 404 && other.status === 200)).toBe(true);
      if (other.status >= 300) expectGone(other);
      expect(await count(`${deletion}s where id = $1`, fixture[deletion].id)).toBe(0);
      for (const table of ["webhook_logs", "placements"]) {
        expect(await count(`${table} where site_id = $1`, fixture.site.id)).toBe(0);
      }
    }
  });

  it("a site against a new placement by its name: the placement has a site in either case", async () => {
    for (const { fixture, deleted, other } of await race("site", addToStore, 20)) {
      expect(other.status).toBe(201);
      const { id, siteId } = (other.json as { data: { id: string; siteId: string } }).data;
      expect(deleted.status).toBe(siteId === fixture.site.id ? 403 : 200);
      expect(await count("placements where id = $1", id)).toBe(1);
    }
  });

  it("a publisher against the administrator's switch: it is gone", async () => {
    for (const { fixture, deleted, other } of await race("publisher", switchedByAdmin, 6)) {
      expect(deleted.status).toBe(200);
      if (other.status !== 200) expectGone(other);
      expect(await count("webhook_events where publisher_id = $1", fixture.publisher.id)).toBe(0);
    }
  });
});
