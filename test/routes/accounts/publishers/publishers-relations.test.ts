import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf } from "../../../support/api.ts";
import { makePlatform, makePublisher, makeSite } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const MOST = 1_000;

/** Inserts rows below another row, two of each millisecond, and returns their ids in the order of lists. */
const insertMany = async (kind: "site" | "placement", columns: string, above: string) => {
  const rows = await h.rows<{ id: string; created_at: Date }>(
    `insert into ${columns} select id, $1, 'Many ' || i, 'active', '2026-01-01'::timestamptz + i / 2 * interval '1 ms'
     from unnest($2::text[]) with ordinality many (id, i) returning id, created_at`,
    [above, Array.from({ length: MOST + 5 }, () => newId(kind))],
  );
  rows.sort((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? -1 : 1));
  return rows.map(({ id }) => id);
};

const insertSites = (publisher: string) =>
  insertMany("site", "sites (id, publisher_id, name, status, created_at)", publisher);

const insertPlacements = (site: string) =>
  insertMany("placement", "placements (id, site_id, name, status, created_at)", site);

describe("include=relations adds the newest thousand", () => {
  it("of a publisher's sites", async () => {
    const { id: platformId, token } = await makePlatform(h.db);
    const { id, privateKey } = await makePublisher(h.db, { platformId });
    const newest = (await insertSites(id)).slice(0, MOST);
    const answers = [
      await api(h, "GET", `/api/v1/publishers/${id}?include=relations`, { token: privateKey }),
      await api(h, "GET", "/api/v1/publishers/me?include=relations", { token: privateKey }),
      await api(h, "GET", "/api/v1/publishers?include=relations", { token }),
    ];
    for (const answer of answers) {
      const [publisher] = [dataOf<{ sites: { id: string }[] } | { sites: { id: string }[] }[]>(answer)].flat();
      expect(publisher?.sites.map((site) => site.id)).toEqual(newest);
    }
  });

  it("of a site's placements", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const site = await makeSite(h.db, id);
    const newest = await insertPlacements(site.id);
    const [listed] = dataOf<{ placements: { id: string }[] }[]>(
      await api(h, "GET", "/api/site?include=relations&stats=true", { token }),
    );
    expect(listed?.placements.map((placement) => placement.id)).toEqual(newest.slice(0, MOST));
    expect(listed).toHaveProperty("stats.placements", MOST + 5);
  });

  it("while the list of a publisher's sites has all of them", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const newest = await insertSites(id);
    const { json } = await api(h, "GET", `/api/site?skip=${MOST}`, { token });
    const { data, pagination } = json as { data: { id: string }[]; pagination: object };
    expect(data.map((site) => site.id)).toEqual(newest.slice(MOST));
    expect(pagination).toEqual({ total: MOST + 5, skip: MOST, take: 50, hasMore: false });
  });
});
