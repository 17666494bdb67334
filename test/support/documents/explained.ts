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
/** Makes an offer as the tables know it, with the reason that they have against it. */
export const known = (id: string, reason: ExplainedOffer["reason"] = null): ExplainedOffer => ({
  id,
  name: `N ${id}`,
  reason,
  pacing: "ASAP",
});

/** Holds the time of requests. */
export const NOW = 1_000_000;
/** Holds a request for four offers that says nothing else. */
export const request: DecisionRequest = { count: 4, session: "s", arm: "0", now: NOW };
/** Makes the situation in which a request is decided, with all switches on. */
export const situation = (offers: Candidate[], overrides: Partial<Situation> = {}): Situation => ({
  publisher: { status: "active", adsEnabled: true },
  placement: placementDocument(),
  candidates: candidatesDocument(offers),
  network: networkDocument(),
  ...overrides,
});
/** Stands for any belief about an offer, where a test is about something else. */
const ANY: unknown = expect.toBeOneOf([null, expect.anything()]);
/** Describes an offer that is served, as explain answers. */
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
/** Describes an offer that is not served, as explain answers. */
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
