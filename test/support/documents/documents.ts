import type { CandidatesDocument, NetworkDocument, PlacementDocument } from "../../../db/documents/types.ts";

/** Makes a network's document in which nothing has changed. */
export const networkDocument = (overrides: Partial<NetworkDocument> = {}): NetworkDocument => ({
  since: 0,
  offers: [],
  advertisers: [],
  targeted: { languages: [], currencies: [], paymentTypes: [] },
  ...overrides,
});

/** Makes a complete list of candidates. */
export const candidatesDocument = (
  offers: CandidatesDocument["offers"],
  overrides: Partial<CandidatesDocument> = {},
): CandidatesDocument => ({ offers, cut: false, reopensAt: null, factsChangedAt: 0, ...overrides });

/** Makes the document of an active placement in live mode, on an active site. */
export const placementDocument = (overrides: Partial<PlacementDocument> = {}): PlacementDocument => ({
  status: "active",
  isLiveMode: true,
  data: {},
  siteId: "site_1",
  siteName: "Shop",
  siteStatus: "active",
  siteAdsEnabled: true,
  publisherId: "pub_1",
  factsChangedAt: 0,
  ...overrides,
});
