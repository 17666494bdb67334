import { beforeAll, expect, it } from "vitest";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { api, dataOf, missing, said, type Method } from "../../../support/api.ts";
import { makeAdvertiser, makePlatform, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { makeHit } from "../../../support/tracking/hits.ts";

let h: Harness;
let token: string;
let advertiserId: string;

beforeAll(async () => {
  h = await sharedHarness();
  const platform = await makePlatform(h.db);
  token = platform.token;
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
});

const ask = (method: Method, path: string, body?: object) => api(h, method, `/api/v1/offers${path}`, { token, body });
const create = async (given: object = {}) =>
  dataOf<{ id: string }>(await ask("POST", "", offerBody(advertiserId, given)));

it("an offer is archived with a cap that clicks may still meet, deleted when it was never active", async () => {
  const draft = await create({ status: "paused", dailyCap: 5 });
  const deleted = { success: true, message: "Offer deleted successfully" };
  expect(said(await ask("DELETE", `/${draft.id}`))).toEqual([200, deleted]);
  const archived = { success: true, message: "Offer archived successfully" };
  for (const cap of [{ dailyCap: 5 }, { lifetimeCap: 5 }]) {
    const active = await create(cap);
    expect(said(await ask("DELETE", `/${active.id}`))).toEqual([200, archived]);
    const paused = await create(cap);
    await ask("PATCH", `/${paused.id}/status`, { status: "paused" });
    expect(said(await ask("DELETE", `/${paused.id}`))).toEqual([200, archived]);
  }
});

it("an offer is deleted without events, archived with them", async () => {
  const { id } = await create();
  expect(said(await ask("DELETE", `/${id}`))).toEqual([200, { success: true, message: "Offer deleted successfully" }]);
  expect(said(await ask("DELETE", `/${id}`))).toEqual(missing("Offer", id));
  expect(await h.rows("select from offers where id = $1", [id])).toEqual([]);

  const seen = await create();
  await recordHits(h.db, [makeHit({ offerId: seen.id, reason: "bot" })]);
  const archived = { success: true, message: "Offer archived successfully" };
  expect(said(await ask("DELETE", `/${seen.id}`))).toEqual([200, archived]);
  expect(said(await ask("DELETE", `/${seen.id}`))).toEqual([200, archived]);
  expect(dataOf(await ask("GET", `/${seen.id}`))).toMatchObject({ status: "archived" });
});
