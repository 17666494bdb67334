import { afterAll, beforeAll, expect, it } from "vitest";
import { api, flat, said, wrapped } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makePlatform, offerBody } from "../../support/factories.ts";
import { between } from "../../support/faults/between.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

// What a request has looked up may be gone before it goes on.

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it.each(["/api/v1/publishers/me", "/api/v1/me"])(
  "GET %s of a publisher that is gone meanwhile is 404",
  async (path) => {
    const { publisher } = await makeInventory(h.db);
    const answer = await between(
      h,
      1,
      () => api(h, "GET", path, { token: publisher.privateKey }),
      () => h.rows("delete from publishers where id = $1", [publisher.id]),
    );
    expect(said(answer)).toEqual([404, flat("RESOURCE_NOT_FOUND", { resourceType: "Publisher", id: publisher.id })]);
  },
);

it("an import for an advertiser that is gone meanwhile is 409, and makes nothing", async () => {
  const platform = await makePlatform(h.db);
  const { id } = await makeAdvertiser(h.db, { platformId: platform.id });
  const answer = await between(
    h,
    2,
    () => api(h, "POST", "/api/v1/offers/import", { token: platform.token, body: offerBody(id) }),
    () => h.rows("delete from advertisers where id = $1", [id]),
  );
  expect(said(answer)).toEqual([409, wrapped("CONFLICT")]);
  expect(await h.rows("select id from offers where advertiser_id = $1", [id])).toEqual([]);
});
