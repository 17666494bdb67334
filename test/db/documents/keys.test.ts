import { expect, it } from "vitest";
import { documentKey, isCandidates, subjectOf, type DocumentKey } from "../../../db/documents/keys.ts";

const FACTS = { language: "de", currency: "EUR", paymentType: "-", band: "7" };
const CANDIDATES = { kind: "candidates", placementId: "plc_1", country: "US" };

it.each([
  [documentKey.placement("plc_1"), "placement:plc_1", { kind: "placement", placementId: "plc_1" }],
  [documentKey.key("lan_pk_1"), "key:lan_pk_1", { kind: "key", publicKey: "lan_pk_1" }],
  [documentKey.candidates("plc_1", "US"), "candidates:plc_1:US", { ...CANDIDATES, narrowing: null }],
  [documentKey.narrow("plc_1", "US", FACTS), "candidates:plc_1:US:de:EUR:-:7", { ...CANDIDATES, narrowing: FACTS }],
  [documentKey.network, "network", { kind: "network" }],
] as const)("%s is spelled %s, and read as %j", (key, spelled, subject) => {
  expect(key).toBe(spelled);
  expect(subjectOf(key)).toEqual(subject);
  expect(isCandidates(key)).toBe(subject.kind === "candidates");
});

it("a key of a kind that this version does not know is refused", () => {
  expect(() => subjectOf("site:site_1" as DocumentKey)).toThrow("no kind of document: site");
});
