import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { categoryList } from "../../db/inventory/categories.ts";
import { newId } from "../../db/core/ids.ts";
import { partnerZoneJobs, type sites } from "../../db/schema/inventory.ts";
import { api, dataOf } from "../support/api.ts";
import { makePublisher, makeSite } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { openPartner, says, type Answer, type Partner } from "../support/faults/partner.ts";

const QUEUE = "lanyap-partner-zones";

let h: Harness;
let publisher: Awaited<ReturnType<typeof makePublisher>>;
let partner: Partner;

beforeAll(async () => {
  partner = await openPartner();
  h = await startHarness({ vars: { PARTNER_ZONE_URL: partner.url } });
  publisher = await makePublisher(h.db);
});
beforeEach(() => {
  partner.received.length = 0;
  partner.answer = says(201, { zoneId: "zone-1" });
});
afterAll(async () => {
  await h.close();
  partner.close();
});

type Job = { status: string; attempts: number; zone_id: string | null; last_error: string | null };
const jobOf = async (siteId: string) =>
  (
    await h.rows<Job>("select status, attempts, zone_id, last_error from partner_zone_jobs where site_id = $1", [
      siteId,
    ])
  )[0];
/** Makes a site with a job that no message is under way for. */
const makeJob = async (site: Partial<typeof sites.$inferInsert> = {}) => {
  const { id } = await makeSite(h.db, publisher.id, site);
  await h.db.insert(partnerZoneJobs).values({ siteId: id });
  return id;
};
const deliver = (siteId: string, attempts = 1) =>
  h.deliver([{ id: newId("event"), body: { siteId }, attempts }], QUEUE);
/** Waits until a site's job is over, and returns it. */
const settled = (siteId: string) =>
  h.until(
    () => jobOf(siteId),
    (job) => job?.status !== "pending",
  );
const ACKED = { outcome: "ok", explicitAcks: [expect.anything()], retryMessages: [] };
const retried = (delaySeconds: number) => ({
  explicitAcks: [],
  retryMessages: [{ msgId: expect.anything() as unknown, delaySeconds }],
});
const create = (body: object) => api(h, "POST", "/api/site", { token: publisher.privateKey, body });

describe("a new site", () => {
  it("is announced to the partner, and its zone is recorded", async () => {
    const name = newId("site");
    const body = { name, domain: "shop.example", categoryName: "B2B > CRM", description: "Not told" };
    const { id } = dataOf<{ id: string }>(await create(body));
    const job = await settled(id);
    expect(job).toEqual({ status: "done", attempts: 1, zone_id: "zone-1", last_error: null });
    expect(partner.received).toMatchObject([
      {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": id },
        body: { siteId: id, publisherId: publisher.id, name, domain: "shop.example", category: "B2B > CRM" },
      },
    ]);
    expect(Object.keys(partner.received[0]?.body ?? {})).toHaveLength(5);
    expect((await create(body)).status).toBe(200);
    expect(partner.received).toHaveLength(1);
  });

  it("is not announced by a dry run, which has made none", async () => {
    const name = newId("site");
    const unit = { name: "Unit", pageType: "THANK_YOU_PAGE", storeName: name, storeUrl: "https://shop.example/x" };
    const { privateKey: token } = publisher;
    expect((await api(h, "POST", "/api/site?dryRun=true", { token, body: { name } })).status).toBe(201);
    expect((await api(h, "POST", "/api/placements?dryRun=true", { token, body: unit })).status).toBe(201);
    const { id } = dataOf<{ id: string }>(await create({ name }));
    await settled(id);
    expect(partner.received).toMatchObject([{ body: { siteId: id } }]);
  });

  it("is announced when a placement's creation made it, once", async () => {
    const storeName = newId("site");
    const unit = { name: "Unit", pageType: "THANK_YOU_PAGE", storeName, storeUrl: "https://shop.example/x" };
    const place = () => api(h, "POST", "/api/placements", { token: publisher.privateKey, body: unit });
    const { siteId } = dataOf<{ siteId: string }>(await place());
    const job = await settled(siteId);
    expect(job).toEqual({ status: "done", attempts: 1, zone_id: "zone-1", last_error: null });
    expect(partner.received).toMatchObject([{ body: { siteId, name: storeName, domain: "shop.example" } }]);
    expect(dataOf<{ siteId: string }>(await place()).siteId).toBe(siteId);
    expect(await h.count("partner_zone_jobs where site_id = $1", [siteId])).toBe(1);
    expect(partner.received).toHaveLength(1);
  });

  it("is not announced when nobody asked for it", async () => {
    const { id } = dataOf<{ id: string }>(await create({ name: newId("site"), createPartnerZone: false }));
    expect(await jobOf(id)).toBeUndefined();
  });

  it("is created while the partner keeps others waiting", async () => {
    const waiting: ServerResponse[] = [];
    partner.answer = (response) => waiting.push(response);
    const first = dataOf<{ id: string }>(await create({ name: newId("site") }));
    await h.until(
      async () => waiting.length,
      (length) => length > 0,
    );
    expect((await create({ name: newId("site"), createPartnerZone: false })).status).toBe(201);
    for (const response of waiting) says(200, { id: 7 })(response);
    const job = await settled(first.id);
    expect(job).toMatchObject({ status: "done", zone_id: "7" });
  });
});

describe("the partner's answer", () => {
  it.each<[number, unknown, string]>([
    [200, { zoneId: "a" }, "a"],
    [201, { id: "b", more: [] }, "b"],
    [202, { zoneId: 42, id: "no" }, "42"],
    [200, { zoneId: 0 }, "0"],
  ])("%i %j names the zone %s", async (status, body, zoneId) => {
    partner.answer = says(status, body);
    const id = await makeJob({ domain: null, categoryId: categoryList[0]?.id ?? null });
    expect(await deliver(id)).toMatchObject(ACKED);
    expect(await jobOf(id)).toEqual({ status: "done", attempts: 1, zone_id: zoneId, last_error: null });
    expect(partner.received).toMatchObject([{ body: { domain: null, category: categoryList[0]?.name } }]);
  });

  it.each<[number, unknown]>([
    [200, {}],
    [200, { zoneId: null }],
    [200, { id: "" }],
    [200, { zoneId: { id: 1 } }],
    [200, []],
    [200, null],
  ])("%i %j names no zone, for good", async (status, body) => {
    partner.answer = says(status, body);
    const id = await makeJob();
    expect(await deliver(id)).toMatchObject(ACKED);
    const error = "the partner's answer names no zone";
    expect(await jobOf(id)).toEqual({ status: "failed", attempts: 1, zone_id: null, last_error: error });
  });

  it.each([400, 401, 403, 404, 409, 422])("%i is the end at once", async (status) => {
    partner.answer = says(status, { zoneId: "ignored" });
    const id = await makeJob();
    expect(await deliver(id)).toMatchObject(ACKED);
    const error = `the partner answered ${status}`;
    expect(await jobOf(id)).toEqual({ status: "failed", attempts: 1, zone_id: null, last_error: error });
  });

  // The local runtime answers 500 for a connection that breaks.
  it.each<[string, Answer, string]>([
    ["500", says(500, ""), "the partner answered 500"],
    ["503", says(503, { zoneId: "ignored" }), "the partner answered 503"],
    ["408", says(408, ""), "the partner answered 408"],
    ["429", says(429, ""), "the partner answered 429"],
    ["an answer that is no JSON", says(200, "<html>"), "no answer of the partner could be read: SyntaxError"],
    ["a broken connection", (response) => response.destroy(), "the partner answered 500"],
  ])("%s is asked for again", async (_, given, error) => {
    partner.answer = given;
    const id = await makeJob();
    expect(await deliver(id)).toMatchObject(retried(10));
    expect(await jobOf(id)).toEqual({ status: "pending", attempts: 1, zone_id: null, last_error: error });
  });

  it("is waited for longer and longer, and counts in the end", async () => {
    const id = await makeJob();
    partner.answer = says(500, "");
    expect(await deliver(id, 1)).toMatchObject(retried(10));
    expect(await deliver(id, 2)).toMatchObject(retried(20));
    expect(await deliver(id, 9)).toMatchObject(retried(2560));
    partner.answer = says(200, { zoneId: "z" });
    expect(await deliver(id, 9)).toMatchObject(ACKED);
    expect(await jobOf(id)).toEqual({ status: "done", attempts: 4, zone_id: "z", last_error: null });
    expect(new Set(partner.received.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set([id]));
  });

  it("is given up on after the tenth attempt", async () => {
    partner.answer = says(500, "");
    const id = await makeJob();
    expect(await deliver(id, 10)).toMatchObject(ACKED);
    const error = "the partner answered 500";
    expect(await jobOf(id)).toMatchObject({ status: "failed", last_error: error });
  });
});

describe("a message", () => {
  it("of a site that is deleted, or of a job that is over, is dropped without a word to the partner", async () => {
    const gone = await makeJob();
    await h.rows("delete from sites where id = $1", [gone]);
    const done = await makeJob();
    await deliver(done);
    partner.received.length = 0;
    for (const id of [gone, done, newId("site")]) expect(await deliver(id)).toMatchObject(ACKED);
    expect(partner.received).toEqual([]);
    expect(await jobOf(done)).toMatchObject({ status: "done", attempts: 1 });
  });

  it("comes again while the database is down", async () => {
    const id = await makeJob();
    h.database.down = true;
    expect(await deliver(id, 3)).toMatchObject(retried(40));
    h.database.down = false;
    expect(await deliver(id, 4)).toMatchObject(ACKED);
  });

  it("that makes no sense holds up no other", async () => {
    const id = await makeJob();
    const nonsense = [null, "x", 5].map((body) => ({ id: newId("event"), body }));
    await h.deliver([...nonsense, { id: newId("event"), body: { siteId: id } }], QUEUE);
    expect(await jobOf(id)).toMatchObject({ status: "done" });
  });

  it("that was lost is sent again by the cron, and only that", async () => {
    const lost = await makeJob();
    const fresh = await makeJob();
    const failed = await makeJob();
    await h.rows("update partner_zone_jobs set status = 'failed' where site_id = $1", [failed]);
    await h.rows("update partner_zone_jobs set updated_at = now() - interval '121 minutes' where site_id = any ($1)", [
      [lost, failed],
    ]);
    await h.cron();
    await h.cron();
    await h.until(
      () => jobOf(lost),
      (job) => job?.status === "done",
    );
    expect(partner.received).toMatchObject([{ body: { siteId: lost } }]);
    expect([await jobOf(fresh), await jobOf(failed)]).toMatchObject([{ status: "pending" }, { status: "failed" }]);
  });
});

it("without the setting a job is skipped", async () => {
  const other = await startHarness();
  const { privateKey: token } = await makePublisher(other.db);
  const { id } = dataOf<{ id: string }>(await api(other, "POST", "/api/site", { token, body: { name: "A" } }));
  await other.rows("update partner_zone_jobs set updated_at = now() - interval '1 day'");
  await other.cron();
  const [job] = await other.rows("select status, attempts, last_error from partner_zone_jobs where site_id = $1", [id]);
  expect(job).toEqual({ status: "skipped", attempts: 0, last_error: null });
  await other.close();
});
