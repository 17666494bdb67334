import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Offer } from "../../../functions/answer/envelope.ts";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf } from "../../support/api.ts";
import { trackedOf } from "../../support/ask-offers.ts";
import { creativeBody } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { makeSplitOffer, OTHER } from "../../support/learning/split-offer.ts";
import { expectExactCounts, makeHit, message, stored } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const locationOf = async ({ clickUrl }: Offer) =>
  (await h.fetch(clickUrl, { redirect: "manual" })).headers.get("location");
const learn = () => h.cron();
const makeSplit = (given: object = {}) => makeSplitOffer(h, given);

describe("an offer with two creatives", () => {
  it("shows each to its share of sessions, the same one each time, and says which in the token", async () => {
    const { id, show } = await makeSplit();
    const shown = await Promise.all(Array.from({ length: 60 }, (_, i) => show(`s-${i}`)));
    const others = shown.filter(({ title }) => title === "Another title");
    expect(others.length).toBeGreaterThan(10);
    expect(others.length).toBeLessThan(50);
    for (const [i, offer] of shown.entries()) {
      const isOther = offer.title === "Another title";
      expect(offer).toMatchObject({ bannerId: id, ctaText: isOther ? "Yes, the other one" : "Yes, please" });
      expect(await trackedOf(offer)).toMatchObject({ offerId: id, revision: 1, creative: isOther ? 2 : 1 });
      expect((await show(`s-${i}`)).title).toBe(offer.title);
    }
  });

  it("leads where the shown one led then, whatever changed since", async () => {
    const { show, creative, call, offer } = await makeSplit({ creativeWeight: 0 });
    const before = await show("s", "Another title");
    expect(await locationOf(before)).toBe(OTHER);
    await call("PUT", creative, { destinationUrl: "https://advertiser.example/new" });
    expect(await locationOf(before)).toBe(OTHER);
    const after = await show("s");
    expect(await locationOf(after)).toBe("https://advertiser.example/new");
    await call("PUT", offer, { bidMicros: 200_000, creativeWeight: 100 });
    await call("PATCH", `${creative}/status`, { status: "paused" });
    expect(await locationOf(after)).toBe("https://advertiser.example/new");
    expect((await show("s")).title).toBe("A title");
    expect(await locationOf(before)).toBe(OTHER);
  });

  it("is shown no more with one that stopped, from the next answer on", async () => {
    const { show, creative, call } = await makeSplit({ creativeWeight: 0 });
    await show("s", "Another title");
    await call("DELETE", creative);
    for (let i = 0; i < 10; i++) expect((await show(`s-${i}`)).title).toBe("A title");
    expect(await trackedOf(await show("s"))).toMatchObject({ creative: 0, revision: 2 });
  });

  it("counts and reports each, and keeps what a stopped one had", async () => {
    const { id, show, creative, call, rows, advertiser } = await makeSplit({ pricing: "CPC" });
    const shown = await Promise.all(Array.from({ length: 20 }, (_, i) => show(`s-${i}`)));
    const second = shown.filter(({ title }) => title === "Another title");
    const first = shown.filter(({ title }) => title === "A title");
    for (const { beaconUrl } of shown) await h.fetch(beaconUrl);
    for (const offer of [...second, first[0]]) if (offer) await locationOf(offer);
    await stored(h, id, 20 + second.length + 1);
    const clicked = new URL(second[0]?.clickUrl ?? "").searchParams.get("t");
    expect(clicked).toMatch(/-2$/);
    const { decisionId } = await trackedOf(second[0]);
    const report = { clickId: `${decisionId.slice(4)}-${id.slice(4)}`, transactionId: newId("event") };
    dataOf(await api(h, "POST", "/conversion", { token: advertiser.conversionSecret, body: report }));
    await call("PATCH", `${creative}/status`, { status: "archived" });
    const counts = { offerId: id, offerName: "An offer" };
    const [creativeId] = creative.split("/").slice(-1);
    const told = [
      {
        ...counts,
        creative: 1,
        creativeId: null,
        creativeName: null,
        impressions: first.length,
        clicks: 1,
        gross: 0.1,
      },
      {
        ...counts,
        creative: 2,
        creativeId,
        creativeName: "Another",
        impressions: second.length,
        clicks: second.length,
        conversions: 1,
      },
    ];
    expect(await rows("reportType=CREATIVE")).toMatchObject(told);
    expect(await rows("reportType=OFFER&groupBy=CREATIVE&breakdownBy=DAY&fill=true")).toMatchObject(told);
    expect(await rows("reportType=OFFER")).toMatchObject([{ ...counts, impressions: 20, conversions: 1 }]);
    dataOf(
      await api(h, "POST", "/conversion/reversal", {
        token: advertiser.conversionSecret,
        body: { transactionId: report.transactionId },
      }),
    );
    expect(await rows("reportType=CREATIVE")).toMatchObject([{ conversions: 0 }, { creative: 2, conversions: 0 }]);
    await expectExactCounts(h);
  });

  it("is learned of, and then shows the better one to nearly all", async () => {
    const { id, placement, advertiser, path, call, show, explain } = await makeSplit({ creativeSplit: "LEARNED" });
    await call("POST", path, creativeBody({ name: "Third", title: "Third title", status: "paused" }));
    await show("s");
    const equal = await explain();
    expect(equal?.creatives).toMatchObject([
      { creativeId: null, number: 1, name: "An offer", status: "active", share: 0.5, exposure: 0 },
      { number: 2, name: "Another", share: 0.5, exposure: 0 },
      { number: 3, name: "Third", status: "paused", share: 0, shown: false },
    ]);
    expect(equal?.creatives?.filter(({ shown }) => shown)).toHaveLength(1);
    const at = { offerId: id, placementId: placement.id };
    for (let n = 0; n < 6; n++) {
      const hits = Array.from({ length: 50 }, (_, i) => {
        const decisionId = newId("decision");
        const hit = { ...at, decisionId, sessionHash: decisionId, creative: 1 + (i % 2) };
        const isClicked = hit.creative === 2 ? i % 4 === 1 : i % 50 === 0;
        return [makeHit({ ...hit, kind: "impression" }), ...(isClicked ? [makeHit(hit)] : [])];
      });
      await h.deliver(hits.flat().map(message));
    }
    await learn();
    const [share] = await h.rows<{ share: number }>(
      "select share from rate_creatives where offer_id = $1 and number = 2 and version = 1",
      [id],
    );
    expect(share?.share).toBeGreaterThan(0.95);
    // The list is renewed by age, or because its offer changed.
    await call("PATCH", `/offers/${id}/status`, { status: "paused" });
    await call("PATCH", `/offers/${id}/status`, { status: "active" });
    const shown = await Promise.all(Array.from({ length: 40 }, (_, i) => show(`s-${i}`)));
    expect(shown.filter(({ title }) => title === "Another title").length).toBeGreaterThan(35);
    const verdict = await explain("s-1");
    expect(verdict?.creatives).toMatchObject([
      { number: 1, share: expect.closeTo(0.01, 2) as number },
      { number: 2, share: expect.closeTo(0.99, 2) as number, shown: shown[1]?.title === "Another title" },
      { number: 3, exposure: 0 },
    ]);
    const [first, second] = verdict?.creatives ?? [];
    expect(first?.exposure).toBeGreaterThan(100);
    expect(second?.rate.low).toBeGreaterThan(first?.rate.high ?? 1);
    expect(advertiser.id).toMatch(/^adv_/);
    const sums = () => h.rows("select * from rate_creatives where offer_id = $1 order by number", [id]);
    const before = await sums();
    // Clicks that are paid for tell nothing of conversions, should the offer be paid for by those later.
    expect(before.map(({ clicked, conversions }) => [clicked, conversions])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    // Learning again of the same counts adds nothing.
    await learn();
    expect(await sums()).toEqual(before);
  });
});

describe("an offer with one creative", () => {
  it("has nothing of this in its answers, tokens and documents", async () => {
    const { id, show, creative, call, rows, explain } = await makeSplit();
    await call("DELETE", creative);
    const offer = await show("s");
    expect(new URL(offer.clickUrl).searchParams.get("t")).not.toContain(`${id.slice(4)}2-`);
    expect(await trackedOf(offer)).toMatchObject({ creative: 0 });
    expect((await explain())?.creatives).toBeNull();
    await h.fetch(offer.beaconUrl);
    await stored(h, id, 1);
    expect(await rows("reportType=CREATIVE")).toMatchObject([{ creative: 1, impressions: 1 }]);
    expect(await h.rows("select from creative_counters where offer_id = $1", [id])).toEqual([]);
  });
});
