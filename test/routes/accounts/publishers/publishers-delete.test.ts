import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, said, wrapped } from "../../../support/api.ts";
import { requestOffers } from "../../../support/ask-offers.ts";
import { makeInventory, makeSite } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { documentKey } from "../../../../db/documents/keys.ts";
import { storedName } from "../../../../functions/documents/kv.ts";
import { DAY_SECONDS } from "../../../../db/core/time.ts";
import { storedDocument, untilStored } from "../../../support/documents/stored.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const below = (id: string) =>
  Promise.all(
    ["sites", "public_keys", "api_tokens", "webhook_events", "webhook_logs"].map(async (table) => {
      const [row] = await h.rows<{ n: number }>(`select count(*)::int as n from ${table} where publisher_id = $1`, [
        id,
      ]);
      return row?.n;
    }),
  );

describe("DELETE /:id", () => {
  it("is refused while placements are active, with their number and nothing else", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const other = await makeSite(h.db, publisher.id);
    const statuses = [site, other].flatMap(({ id }) => [
      [id, "active"],
      [id, "inactive"],
    ]);
    for (const [siteId, status] of statuses) {
      await h.rows("insert into placements (id, site_id, name, status) values ($1, $2, 'x', $3)", [
        newId("placement"),
        siteId,
        status,
      ]);
    }
    const answer = await api(h, "DELETE", `/api/v1/publishers/${publisher.id}`, { token: publisher.privateKey });
    expect(said(answer)).toEqual([403, wrapped("FORBIDDEN", { activePlacements: 3 })]);
    expect(await below(publisher.id)).toEqual([2, 1, 1, 0, 0]);
  });

  it("takes everything below with it, and its keys open nothing more", async () => {
    const { publisher, site, placement } = await makeInventory(h.db, { placement: { status: "inactive" } });
    const { id, privateKey: token, publicKey } = publisher;
    const asked = { publicKey, placementId: placement.id };
    await api(h, "PATCH", `/api/v1/publishers/${id}/ads`, { token, body: { adsEnabled: true } });
    await api(h, "PATCH", `/api/site/${site.id}/ads`, { token, body: { adsEnabled: true } });
    expect(await below(id)).toEqual([1, 1, 1, 1, 1]);
    expect((await requestOffers(h, asked)).status).toBe(200);
    expect(said(await api(h, "DELETE", `/api/v1/publishers/${id}`, { token }))).toEqual([
      200,
      { success: true, message: "Publisher deleted successfully" },
    ]);
    expect((await requestOffers(h, asked)).status).toBe(401);
    expect(said(await api(h, "GET", "/api/v1/publishers/me", { token }))).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect(await below(id)).toEqual([0, 0, 0, 0, 0]);
    expect(await h.rows("select id from publishers where id = $1", [id])).toEqual([]);
    expect(await h.rows("select id from placements where id = $1", [placement.id])).toEqual([]);
  });

  it("ends the documents of its keys at once, and leaves those of its placements for a day at most", async () => {
    const { publisher, placement } = await makeInventory(h.db, { placement: { status: "inactive" } });
    await requestOffers(h, { publicKey: publisher.publicKey, placementId: placement.id });
    const [key, shown] = [documentKey.key(publisher.publicKey), documentKey.placement(placement.id)];
    await untilStored(h, [key, shown]);
    await api(h, "DELETE", `/api/v1/publishers/${publisher.id}`, { token: publisher.privateKey });
    const stored = () => storedDocument(h, key);
    expect(await h.until(stored, (document) => document?.value === null)).toMatchObject({ value: null });
    const { keys } = await (await h.env()).DOCUMENTS.list({ prefix: storedName(shown) });
    expect(keys[0]?.expiration).toBeLessThanOrEqual(Date.now() / 1_000 + DAY_SECONDS);
  });
});
