import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { countsOf, expectExactCounts, hitsOf, mint, storedHits } from "../support/hits.ts";
import { documentKey } from "../../db/documents/keys.ts";
import { storedDocument, untilStored } from "../support/stored.ts";

let h: Harness;
let offerId: string;

beforeAll(async () => {
  h = await startHarness({ unavailable: ["EVENTS"] });
  const advertiser = await makeAdvertiser(h.db);
  const offer = { destinationUrl: "https://advertiser.example/", dailyCap: 1 };
  offerId = (await makeOffer(h.db, advertiser.id, offer)).id;
});
afterAll(() => h.close());

describe("a queue that refuses", () => {
  it("leaves hits to the database, which counts each once", async () => {
    const token = mint(offerId);
    expect((await h.fetch(`/vdata?t=${token}`)).status).toBe(204);
    expect((await h.fetch(`/vdata?t=${token}`)).status).toBe(204);
    expect((await h.fetch(`/click?t=${token}`, { redirect: "manual" })).status).toBe(302);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1", "impression counted 1", "impression duplicate 1"]);
    expect(await countsOf(h, offerId)).toMatchObject([{ impressions: 1, clicks: 1, gross: 500_000 }]);
    await expectExactCounts(h);
    expect(h.logs().join("\n")).toContain("the queue refused an event");
  });

  it("leaves a reached cap in the outbox, and the cron publishes it", async () => {
    await h.worker.scheduled({ cron: "* * * * *" });
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
    expect((await storedDocument(h, documentKey.network))?.value?.["stopped"]).toHaveProperty(offerId);
  });

  it("and a database that is down leave the whole event in the log, and the customer is still redirected", async () => {
    const placementId = "plc_01m7yfxddsesnrhs3551vjgzr1";
    const token = mint(offerId, { placementId, sessionHash: "s".repeat(22) });
    const before = await storedHits(h, offerId);
    await h.fetch(`/click?t=${token}`, { redirect: "manual", method: "HEAD" });
    await untilStored(h, [documentKey.candidates(placementId, "US"), documentKey.placement(placementId)]);
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
    expect(event).toMatchObject({ kind: "click", reason: null, offerId, placementId, sessionHash: "s".repeat(22) });
  });
});
