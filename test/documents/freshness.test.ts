import { describe, expect, it } from "vitest";
import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Candidate, Stored } from "../../db/documents/types.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import {
  canAnswer,
  needsRenewal,
  stateOf,
  type State,
  type Surroundings,
} from "../../functions/documents/freshness.ts";
import { candidatesDocument, networkDocument, placementDocument } from "../support/documents/documents.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 20, 12);
const BROAD: DocumentKey = "candidates:plc_1:US";
const NARROW: DocumentKey = "candidates:plc_1:US:de:EUR:-:3";

const builtAt = (time: number, value: Stored["value"] = candidatesDocument([])): Stored => ({ builtAt: time, value });

const entry = (age: number, value: Stored["value"] = networkDocument()) => ({
  document: builtAt(NOW, value),
  readAt: NOW - age,
  bytes: 1,
});

const listedSince = (time: number) => networkDocument({ since: time });
const offers = Array.from({ length: 28 }, (_, serial): Candidate => ({
  ...(SAMPLE_OFFERS[0] as Candidate),
  serial,
  changedAt: NOW,
}));
const listOf = (count: number) => candidatesDocument(offers.slice(0, count));
/** Makes a network in which the first so many of these offers changed just after their lists were built. */
const changed = (count: number) => networkDocument({ since: NOW - HOUR, offers: [[HOUR + 1, ...Array(count).keys()]] });
const placed = (factsChangedAt: number) => () => placementDocument({ factsChangedAt });

describe("the state of a document in memory", () => {
  it.each<[string, ReturnType<typeof entry> | undefined, number, State]>([
    ["nothing", undefined, 5_000, "missing"],
    ["just read", entry(0), 5_000, "fresh"],
    ["read 4,999 ms ago", entry(4_999), 5_000, "fresh"],
    ["read 5 s ago", entry(5_000), 5_000, "stale"],
    ["read 29,999 ms ago", entry(29_999), 5_000, "stale"],
    ["read 30 s ago", entry(30_000), 5_000, "aged"],
    ["read a day ago", entry(24 * HOUR), 5_000, "aged"],
    ["just read, without a memory tier", entry(0), 0, "aged"],
    ["just found not to exist", entry(0, null), 5_000, "fresh"],
    ["found not to exist 5 s ago", entry(5_000, null), 5_000, "missing"],
    ["found not to exist, without a memory tier", entry(0, null), 0, "missing"],
  ])("%s", (_, held, freshMs, state) => {
    expect(stateOf(held, NOW, freshMs)).toBe(state);
  });
});

describe("whether a document can answer", () => {
  it.each<[string, DocumentKey, Stored, ReturnType<typeof networkDocument> | null, boolean]>([
    ["candidates within the list's reach", BROAD, builtAt(NOW), listedSince(NOW - HOUR), true],
    ["candidates older than the list reaches", BROAD, builtAt(NOW - HOUR), listedSince(NOW - HOUR + 1), false],
    [
      "candidates built while the list's first change was on its way",
      BROAD,
      builtAt(NOW + 4_999),
      listedSince(NOW),
      false,
    ],
    ["candidates built after that", BROAD, builtAt(NOW + 5_000), listedSince(NOW), true],
    ["candidates without a list to judge them by", BROAD, builtAt(0), null, true],
    ["candidates of what does not exist", BROAD, builtAt(0, null), listedSince(NOW), true],
    ["a placement of any age", "placement:plc_1", builtAt(0, placementDocument()), listedSince(NOW), true],
    ["a broad list that reopened", BROAD, builtAt(NOW, candidatesDocument([], { reopensAt: NOW })), null, true],
    ["a narrow list that reopened", NARROW, builtAt(NOW, candidatesDocument([], { reopensAt: NOW })), null, false],
    ["a narrow list of which changes leave four offers", NARROW, builtAt(NOW, listOf(5)), changed(1), true],
    ["a narrow list of which changes leave three offers", NARROW, builtAt(NOW, listOf(5)), changed(2), false],
    ["a narrow list of three offers that did not change", NARROW, builtAt(NOW, listOf(3)), changed(0), true],
    ["a broad list of which changes leave nothing", BROAD, builtAt(NOW, listOf(5)), changed(5), true],
    [
      "a narrow list that reopens later",
      NARROW,
      builtAt(NOW, candidatesDocument([], { reopensAt: NOW + 1 })),
      null,
      true,
    ],
  ])("%s", (_, key, document, network, can) => {
    expect(canAnswer(key, document, network, NOW)).toBe(can);
  });
});

describe("whether a document is renewed behind an answer", () => {
  const quiet: Surroundings = {
    network: null,
    placementOf: () => null,
    ownChangesShownFrom: () => 0,
    ownChangesPatience: () => 0,
  };
  const fresh = builtAt(NOW, candidatesDocument(offers));

  it.each<[string, DocumentKey, Stored, Partial<Surroundings>, boolean]>([
    ["candidates of now", BROAD, fresh, {}, false],
    ["candidates before an own change of offers", BROAD, fresh, { ownChangesShownFrom: () => NOW + 1 }, true],
    [
      "candidates before own changes that went on for twice their age",
      BROAD,
      builtAt(NOW - 1_000, candidatesDocument(offers)),
      { ownChangesShownFrom: () => NOW, ownChangesPatience: () => 1_000 },
      true,
    ],
    [
      "candidates before own changes that went on for longer",
      BROAD,
      builtAt(NOW - 1_000, candidatesDocument(offers)),
      { ownChangesShownFrom: () => NOW, ownChangesPatience: () => 1_001 },
      false,
    ],
    ["candidates after an own change of offers", BROAD, fresh, { ownChangesShownFrom: () => NOW }, false],
    ["candidates of a site as it is", BROAD, fresh, { placementOf: placed(0) }, false],
    ["candidates of a site whose facts changed", BROAD, fresh, { placementOf: placed(1) }, true],
    ["28 candidates of which eight offers changed", BROAD, fresh, { network: changed(8) }, false],
    ["28 candidates of which nine offers changed", BROAD, fresh, { network: changed(9) }, true],
    ["21 candidates of which one changed", BROAD, builtAt(NOW, listOf(21)), { network: changed(1) }, false],
    ["20 candidates of which one changed", BROAD, builtAt(NOW, listOf(20)), { network: changed(1) }, true],
    ["a candidate that changed", BROAD, builtAt(NOW, listOf(1)), { network: changed(1) }, true],
    ["a candidate while others changed", BROAD, builtAt(NOW, listOf(1)), { network: changed(0) }, false],
    ["candidates that reopened", BROAD, builtAt(NOW, candidatesDocument([], { reopensAt: NOW })), {}, true],
    ["what does not exist", BROAD, builtAt(0, null), {}, false],
    [
      "a placement, whatever changed of offers",
      "placement:plc_1",
      builtAt(NOW, placementDocument()),
      { ownChangesShownFrom: () => NOW + 1 },
      false,
    ],
  ])("%s", (_, key, document, around, renews) => {
    expect(needsRenewal(key, document, { ...quiet, ...around }, NOW)).toBe(renews);
  });

  it.each<[DocumentKey, number]>([
    ["candidates:plc_1:US", 5 * MINUTE],
    ["network", 5 * MINUTE],
    ["placement:plc_1", HOUR],
    ["key:lan_pk_1", HOUR],
  ])("%s by its age, give or take a quarter", (key, age) => {
    const value = key.startsWith("candidates") ? candidatesDocument([]) : networkDocument();
    const at = (share: number) => needsRenewal(key, builtAt(NOW - share * age, value), quiet, NOW);
    expect([at(0.74), at(1.26)]).toEqual([false, true]);
  });

  it("spreads documents that were built together", () => {
    const due = Array.from({ length: 1_000 }, (_, i) =>
      needsRenewal(`candidates:plc_${i}:US`, builtAt(NOW - 5 * MINUTE), quiet, NOW),
    );
    expect(due.filter(Boolean).length).toBeGreaterThan(400);
    expect(due.filter(Boolean).length).toBeLessThan(600);
  });
});
