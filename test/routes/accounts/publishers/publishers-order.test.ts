import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { makePlatform, makePublisher } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

describe("PATCH /api/v1/publishers/:id/order", () => {
  it.each(["publisher", "platform", "admin"])("is for its %s, and tells what it was set to", async (kind) => {
    const platform = await makePlatform(h.db);
    const { id, name, privateKey } = await makePublisher(h.db, { platformId: platform.id });
    const token = { publisher: privateKey, platform: platform.token, admin: SECRETS.ADMIN_TOKEN }[kind] ?? "";
    const path = `/api/v1/publishers/${id}/order`;
    const before = { id, name, rankBy: "GROSS", holdoutPercent: 0 };
    expect(dataOf(await api(h, "GET", path, { token }))).toEqual(before);
    for (const rankBy of ["REVENUE", "GROSS"]) {
      const answer = await api(h, "PATCH", path, { token, body: { rankBy } });
      const message = "Publisher order updated successfully";
      expect(said(answer)).toEqual([200, { success: true, data: { ...before, rankBy }, message }]);
      expect(dataOf(await api(h, "GET", path, { token }))).toEqual({ ...before, rankBy });
      expect(await h.rows("select rank_by from publishers where id = $1", [id])).toEqual([{ rank_by: rankBy }]);
    }
  });

  it.each([
    [{}, "rankBy: is required, or holdoutPercent"],
    [{ rankBy: "PROFIT" }, "rankBy: must be one of GROSS, REVENUE"],
    [{ holdoutPercent: 51 }, "holdoutPercent: must be at most 50"],
    [{ holdoutPercent: -1 }, "holdoutPercent: must be at least 0"],
    [{ holdoutPercent: 2.5 }, "holdoutPercent: must be an integer"],
    [{ holdoutPercent: null }, "holdoutPercent: must be a number"],
  ])("refuses %j", async (body, problem) => {
    const { id } = await makePublisher(h.db);
    const answer = await api(h, "PATCH", `/api/v1/publishers/${id}/order`, { token: SECRETS.ADMIN_TOKEN, body });
    expect(said(answer)).toEqual(invalid(problem));
    expect(await h.rows("select rank_by, holdout_percent from publishers where id = $1", [id])).toEqual([
      { rank_by: "GROSS", holdout_percent: 0 },
    ]);
  });
});

describe("the share of sessions that are held out", () => {
  it("is five in a hundred for a new publisher, changes by itself, and notes the days of changes once each", async () => {
    const { token } = await makePlatform(h.db);
    const body = { name: `Fresh ${newId("publisher")}`, contactName: "Toni", contactEmail: "toni@test.example" };
    const made = await api(h, "POST", "/api/v1/publishers", { token, body });
    const { id, name } = dataOf<Record<"id" | "name", string>>(made);
    const path = `/api/v1/publishers/${id}/order`;
    const changes = async () =>
      (
        await h.rows<{ days: string[] }>("select holdout_changed_on::text[] as days from publishers where id = $1", [
          id,
        ])
      )[0]?.days;
    expect(dataOf(await api(h, "GET", path, { token }))).toEqual({ id, name, rankBy: "GROSS", holdoutPercent: 5 });
    await api(h, "PATCH", path, { token, body: { holdoutPercent: 5 } });
    await api(h, "PATCH", path, { token, body: { rankBy: "REVENUE" } });
    expect(await changes()).toEqual([]);
    for (const holdoutPercent of [20, 0, 50]) {
      const answer = await api(h, "PATCH", path, { token, body: { holdoutPercent } });
      expect(dataOf(answer)).toEqual({ id, name, rankBy: "REVENUE", holdoutPercent });
    }
    expect(await changes()).toEqual([new Date().toISOString().slice(0, 10)]);
  });
});
