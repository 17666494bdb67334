import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, missing, said, taken } from "../../support/api.ts";
import { makePlacement, makePublisher, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

const AT_ONCE = 20;
const ROUNDS = [1, 2];

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const atOnce = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

type Named = { id: string; siteId: string };

const counted = async (query: string, values: unknown[]) =>
  Number((await h.rows<{ n: string }>(`select count(*) as n from ${query}`, values))[0]?.n);

describe("twenty at once", () => {
  it.each(ROUNDS)("create one site of a name, and find it: round %i", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const body = { name: "Contended", categoryName: "Automotive > Dealerships" };
    const answers = await atOnce(AT_ONCE, () => api(h, "POST", "/api/site", { token, body }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(AT_ONCE - 1);
    const [first, ...others] = answers.map(({ json }) => json);
    for (const other of others) expect(other).toEqual(first);
    expect(await counted("sites where publisher_id = $1", [id])).toBe(1);
    const jobs = "partner_zone_jobs j join sites s on s.id = j.site_id where s.publisher_id = $1";
    expect(await counted(jobs, [id])).toBe(1);
  });

  it.each(ROUNDS)("give one store twenty placements: round %i", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const body = { name: "Unit", pageType: "ORDER_PAGE", storeName: "Store", storeUrl: "https://store.example" };
    const answers = await atOnce(AT_ONCE, () => api(h, "POST", "/api/placements", { token, body }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const made = answers.map((answer) => dataOf<Named>(answer));
    expect(new Set(made.map(({ siteId }) => siteId)).size).toBe(1);
    expect(new Set(made.map((placement) => placement.id)).size).toBe(AT_ONCE);
    expect(await counted("sites where publisher_id = $1", [id])).toBe(1);
    expect(await counted("placements where site_id = $1", [made[0]?.siteId])).toBe(AT_ONCE);
  });

  it.each(ROUNDS)("name a store and a site the same: round %i", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const store = { name: "Unit", pageType: "ORDER_PAGE", storeName: "Both", storeUrl: "https://store.example" };
    const answers = await atOnce(AT_ONCE, (i) =>
      i % 2 === 0
        ? api(h, "POST", "/api/site", { token, body: { name: "Both" } })
        : api(h, "POST", "/api/placements", { token, body: store }),
    );
    const ids = answers.map((answer, i) => dataOf<Named>(answer)[i % 2 === 0 ? "id" : "siteId"]);
    expect(new Set(ids).size).toBe(1);
    expect(await counted("sites where publisher_id = $1", [id])).toBe(1);
  });

  it.each(ROUNDS)("rename sites to one name, which one of them gets: round %i", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const sites = await atOnce(AT_ONCE, () => makeSite(h.db, id));
    const body = { name: "Coveted" };
    const answers = await atOnce(AT_ONCE, (i) => api(h, "PUT", `/api/site/${sites[i]!.id}`, { token, body }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(said(answer)).toEqual(taken("Site", "Coveted"));
    }
    expect(await counted("sites where publisher_id = $1 and name = 'Coveted'", [id])).toBe(1);
  });

  it.each([2, 2, AT_ONCE])("%i sites pass their names around, and keep them", async (count) => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const ring = await atOnce(count, () => makeSite(h.db, id));
    const answers = await atOnce(count, (i) =>
      api(h, "PUT", `/api/site/${ring[i]!.id}`, { token, body: { name: ring[(i + 1) % count]!.name } }),
    );
    expect(answers.map(said)).toEqual(ring.map((_, i) => taken("Site", ring[(i + 1) % count]!.name)));
  });

  it.each(ROUNDS)("delete a site, which is gone once: round %i", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const site = await makeSite(h.db, id);
    const placement = await makePlacement(h.db, site.id, { status: "inactive" });
    const answers = await atOnce(AT_ONCE, () => api(h, "DELETE", `/api/site/${site.id}`, { token }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(said(answer)).toEqual(missing("Site", site.id));
    }
    expect(await counted("sites where id = $1", [site.id])).toBe(0);
    expect(await counted("placements where id = $1", [placement.id])).toBe(0);
  });

  it.each(ROUNDS)("delete a placement, which is gone once: round %i", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    const placement = await makePlacement(h.db, (await makeSite(h.db, id)).id);
    const answers = await atOnce(AT_ONCE, () => api(h, "DELETE", `/api/placements/${placement.id}`, { token }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(said(answer)).toEqual(missing("Placement", placement.id));
    }
  });
});
