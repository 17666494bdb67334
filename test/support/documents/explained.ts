import { expect } from "vitest";
import type { ExplainedOffer } from "../../../db/demand/explain.ts";
import type { Candidate } from "../../../db/documents/types.ts";
import type { Situation } from "../../../functions/decision/decide.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { SAMPLE_OFFERS } from "../../../functions/decision/samples.ts";
import { candidatesDocument, networkDocument, placementDocument } from "./documents.ts";

/** Makes a candidate. */
export const candidate = (id: string, overrides: Partial<Candidate> = {}): Candidate => ({
  ...(SAMPLE_OFFERS[0] as Candidate),
  id,
  title: `Title of ${id}`,
  ...overrides,
});
/** Makes an offer that the tables know, with what they say against it. */
export const known = (id: string, reason: ExplainedOffer["reason"] = null): ExplainedOffer => ({
  id,
  name: `N ${id}`,
  reason,
  pacing: "ASAP",
});

/** Says when requests come. */
export const NOW = 1_000_000;
/** Holds a request for four offers of which nothing special is known. */
export const request: DecisionRequest = { count: 4, session: "s", arm: "0", now: NOW };
/** Makes what a request is decided on, where all switches are on. */
export const situation = (offers: Candidate[], overrides: Partial<Situation> = {}): Situation => ({
  publisher: { status: "active", adsEnabled: true },
  placement: placementDocument(),
  candidates: candidatesDocument(offers),
  network: networkDocument(),
  ...overrides,
});
/** Stands for what is believed of an offer, where a test is about something else. */
const ANY: unknown = expect.toBeOneOf([null, expect.anything()]);
/** Tells of an offer that is served. */
export const served = (id: string, rank: number, name = `N ${id}`) => ({
  offerId: id,
  name,
  served: true,
  rank,
  reason: null,
  pace: null,
  expectation: ANY,
  creatives: null,
});
/** Tells of an offer that is not served. */
export const excluded = (id: string, reason: string) => ({
  offerId: id,
  name: `N ${id}`,
  served: false,
  rank: null,
  reason,
  pace: null,
  expectation: ANY,
  creatives: null,
});
