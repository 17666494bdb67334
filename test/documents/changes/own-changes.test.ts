import { afterEach, describe, expect, it, vi } from "vitest";
import { documentKey } from "../../../db/documents/keys.ts";
import { newId } from "../../../db/core/ids.ts";
import type { NetworkDocument, Stored } from "../../../db/documents/types.ts";
import {
  afterChanges,
  latestChange,
  noteBuilt,
  noteChanges,
  notePublished,
  ownChangesPatience,
} from "../../../functions/documents/changes.ts";

/** Makes an empty document that was built some time after the others. */
const builtAt = (ms: number): Stored => ({ builtAt: Date.now() + ms, value: null });

/** Notes an own change of a document, with what it has built itself. */
const change = (built?: Stored) => {
  const key = documentKey.placement(newId("placement"));
  noteChanges([key], new Map(built && [[key, built]]));
  return { key, asOf: latestChange() };
};

describe("after an own change", () => {
  it("a document that was built in between may lack it, and one that was built much later shows it", () => {
    const own = builtAt(0);
    const { key } = change(own);
    const [between, later] = [builtAt(1_000), builtAt(6_000)];
    expect([undefined, between, later].map((stored) => afterChanges(key, stored))).toEqual([own, own, later]);
  });

  it("what was built from its publication on shows it", () => {
    const own = builtAt(0);
    const { key, asOf } = change(own);
    const [before, published, later] = [builtAt(500), builtAt(1_000), builtAt(2_000)];
    notePublished(key, published.builtAt, asOf);
    expect([before, published, later].map((stored) => afterChanges(key, stored))).toEqual([own, published, later]);
  });

  it("what was published after it is taken, where it has built nothing itself", () => {
    const { key, asOf } = change();
    const [before, published, later] = [builtAt(500), builtAt(1_000), builtAt(2_000)];
    expect(afterChanges(key, later)).toBeUndefined();
    notePublished(key, published.builtAt, asOf);
    expect([before, published, later].map((stored) => afterChanges(key, stored))).toEqual([
      undefined,
      published,
      later,
    ]);
  });

  it("a publication that began before it tells nothing of it", () => {
    const own = builtAt(0);
    const asOf = latestChange();
    const { key } = change(own);
    const published = builtAt(1_000);
    notePublished(key, published.builtAt, asOf);
    expect(afterChanges(key, published)).toBe(own);
  });

  it("what was built here since is not followed by what was published before", () => {
    const { key, asOf } = change();
    const [published, here, later] = [builtAt(500), builtAt(1_000), builtAt(2_000)];
    expect(afterChanges(key, published)).toBeUndefined();
    noteBuilt(key, here, asOf);
    notePublished(key, published.builtAt, asOf);
    expect([published, here, later].map((stored) => afterChanges(key, stored))).toEqual([here, here, later]);
  });

  it("a writer that tells no time changes nothing", () => {
    const own = builtAt(0);
    const { key, asOf } = change(own);
    notePublished(key, Number.NaN, asOf);
    const later = builtAt(6_000);
    expect(afterChanges(key, later)).toBe(later);
  });
});

/** Makes the network's document with changes of offers, by their serials, some time after the others. */
const network = (ms: number, since: number, changed: Record<number, number>, languages: string[] = []) => ({
  builtAt: Date.now() + ms,
  value: {
    since,
    offers: Object.entries(changed).map(([serial, at]) => [at - since, Number(serial)]),
    advertisers: [],
    targeted: { languages, currencies: [], paymentTypes: [] },
  },
});

/** Returns the network's document that answers use after own changes of offers: the time of each by its serial. */
const shownNetwork = () => {
  const document = afterChanges(documentKey.network, undefined);
  if (!document) throw new Error("it would have to be built");
  const { since, offers, targeted } = document.value as NetworkDocument;
  const changed = offers.flatMap(([after = 0, ...serials]) => serials.map((serial) => [serial, since + after]));
  return { builtAt: document.builtAt, changed: Object.fromEntries(changed), languages: targeted.languages };
};

describe("after two own changes of offers at the same time", () => {
  const key = documentKey.network;

  it.each([
    ["one", 0, 1],
    ["the other", 1, 0],
  ])("what both have built counts, %s noted first, with the later time of each offer", (_, first, second) => {
    const both = [network(0, 100, { 1: 150, 2: 200 }, ["de"]), network(10, 110, { 1: 250, 3: 210, 4: 105 }, ["en"])];
    for (const i of [first, second]) noteChanges([key], new Map([[key, both[i] as Stored]]));
    expect(shownNetwork()).toEqual({
      builtAt: both[1]?.builtAt,
      changed: { 1: 250, 2: 200, 3: 210, 4: 105 },
      languages: ["de", "en"],
    });
  });

  it("one that is much younger stands alone", () => {
    const [before, after] = [network(0, 100, { 1: 150 }), network(6_000, 110, { 2: 200 })];
    for (const document of [before, after]) noteChanges([key], new Map([[key, document]]));
    expect(afterChanges(key, undefined)).toBe(after);
  });
});

describe("candidates are renewed for own changes of offers", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("when they are half as old as the changes have gone on, without a pause of 30 seconds", () => {
    // Longer than a pause, after whatever was changed before.
    vi.useFakeTimers({ now: Date.now() + 30_000 });
    const patience = [0, 1_000, 29_999, 30_000, 4_000].map((pause) => {
      vi.advanceTimersByTime(pause);
      noteChanges([documentKey.network], new Map());
      return ownChangesPatience();
    });
    expect(patience).toEqual([0, 500, 15_499.5, 0, 2_000]);
  });
});
