import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { askOffers } from "../../../support/ask-offers.ts";
import { keysOf, putStored, storedDocument, storedText, untilStored } from "../../../support/documents/stored.ts";
import { holdDatabase, tripsOf } from "../../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { factsOf, FRENCH_FACTS, makeCut } from "../../../support/network/cut.ts";

let h: Harness;
let cut: Awaited<ReturnType<typeof makeCut>>;
let release = () => {};

const ask = (params: Record<string, string>) =>
  askOffers(h, {
    publicKey: cut.publisher.publicKey,
    placementId: cut.placement.id,
    "at.country": "US",
    ...params,
  });
const french = () => ask({ ...FRENCH_FACTS, count: "3" });

beforeAll(async () => {
  h = await startHarness({ breakableKv: true });
  cut = await makeCut(h);
  await french();
  await untilStored(h, [...keysOf(cut.publisher.publicKey, cut.placement.id), cut.frenchKey]);
});
afterEach(async () => {
  release();
  await h.kv({ get: "none" });
});
afterAll(() => h.close());

describe("where the list of candidates is cut, an answer", () => {
  it("has offers that the list leaves out", async () => {
    const broad = await storedDocument(h, cut.broadKey);
    expect(broad?.value).toMatchObject({ cut: true });
    expect(JSON.stringify(broad)).not.toContain('"languages":["fr"]');
    expect((await french()).ids.toSorted()).toEqual(cut.french);
  });

  it("is made from the list and a narrower one with one read of KV, where that was built before", async () => {
    const before = await h.kv();
    h.database.trips.length = 0;
    expect((await french()).ids.toSorted()).toEqual(cut.french);
    expect((await h.kv()).reads).toBe(before.reads + 1);
    expect(tripsOf(h)).toEqual([]);
  });

  it("builds no narrower list when it is full", async () => {
    h.database.trips.length = 0;
    expect((await ask({ ...factsOf(0), count: "1" })).ids).toEqual([cut.gated[0]]);
    expect(tripsOf(h)).toEqual([]);
  });

  it("is of what KV has when it is full, however long a narrower list would take to build", async () => {
    const text = (await storedText(h, cut.broadKey)) ?? "";
    await putStored(h, cut.broadKey, text.replaceAll('"A title"', '"A title from KV"'));
    release = holdDatabase(h);
    // An answer that would have to wait too long for KV may come from memory.
    const { offers } = await h.until(
      () => ask({ ...factsOf(1), count: "1" }),
      (answer) => answer.offers[0]?.title === "A title from KV",
    );
    expect(offers.map(({ bannerId, title }) => [bannerId, title])).toEqual([[cut.gated[1], "A title from KV"]]);
    await putStored(h, cut.broadKey, text);
  });

  it("is of the narrower list in memory while KV hangs", async () => {
    await h.kv({ get: "hang" });
    expect((await french()).ids.toSorted()).toEqual(cut.french);
  });

  it("comes short rather than to wait until the database is given up", async () => {
    const before = h.logs().length;
    release = holdDatabase(h);
    expect((await ask({ ...factsOf(2), count: "20" })).ids).toEqual([cut.gated[2]]);
    expect(h.logs().slice(before).join("\n")).not.toContain("documents were not built");
  });
});
