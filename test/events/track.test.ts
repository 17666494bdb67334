import { documentKey } from "../../db/documents/keys.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeInventory, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { countsOf, expectExactCounts, hitsOf, mint, storedHits } from "../support/tracking/hits.ts";

import { isWithheld, untilStored } from "../support/documents/stored.ts";

let h: Harness;
let capped: string;

beforeAll(async () => {
  h = await startHarness({ unavailable: ["EVENTS"] });
  const advertiser = await makeAdvertiser(h.db);
  const offer = { destinationUrl: "https://advertiser.example/", dailyCap: 1 };
  capped = (await makeOffer(h.db, advertiser.id, offer)).id;
});
afterAll(() => h.close());

describe("a queue that refuses", () => {
  it("leaves hits to the database, which counts each once", async () => {
    const token = mint(capped);
    expect((await h.fetch(`/vdata?t=${token}`)).status).toBe(204);
    expect((await h.fetch(`/vdata?t=${token}`)).status).toBe(204);
    expect((await h.fetch(`/click?t=${token}`, { redirect: "manual" })).status).toBe(302);
    expect(await hitsOf(h, capped)).toEqual(["click counted 1", "impression counted 1", "impression duplicate 1"]);
    expect(await countsOf(h, capped)).toMatchObject([{ impressions: 1, clicks: 1, gross: 500_000 }]);
    await expectExactCounts(h);
    expect(h.logs().join("\n")).toContain("the queue refused an event");
  });

  it("keeps no cap that a hit reaches from the edge: it is published behind the answer", async () => {
    await h.until(
      () => isWithheld(h, capped),
      (isKept) => isKept,
    );
    expect(await isWithheld(h, capped)).toBe(true);
  });

  it("and a database that is down leave the event in the log, without its customer, and the customer is still redirected", async () => {
    const { placement, site } = await makeInventory(h.db);
    const placementId = placement.id;
    const columns = { destinationUrl: "https://advertiser.example/", includeSites: [site.id] };
    const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, columns);
    const token = mint(offerId, { placementId, sessionHash: "s".repeat(22) });
    const before = await storedHits(h, offerId);
    await h.fetch(`/click?t=${token}`, { redirect: "manual", method: "HEAD" });
    await untilStored(h, [
      documentKey.candidates(placementId, "US"),
      documentKey.placement(placementId),
      documentKey.network,
    ]);
    h.database.down = true;
    const click = await h.fetch(`/click?t=${token}`, { redirect: "manual" });
    const beacon = await h.fetch(`/vdata?t=${token}`);
    h.database.down = false;
    expect(click.status).toBe(302);
    expect(click.headers.get("location")).toBe("https://advertiser.example/");
    expect(beacon.status).toBe(204);
    expect(await storedHits(h, offerId)).toBe(before);
    const line =
      h.logs().find((log) => log.startsWith("an event is only in this log") && log.includes('"click"')) ?? "";
    const event: unknown = JSON.parse(/\{.*?\}/.exec(line)?.[0] ?? "null");
    expect(event).toMatchObject({ kind: "click", reason: null, offerId, placementId, sessionHash: null });
  });
});
