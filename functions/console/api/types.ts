// What the API answers, as far as the console shows it (functions/routes/API.md).

/** Describes a publisher of the directory. */
export type Publisher = {
  id: string;
  name: string;
  contactName: string;
  contactEmail: string;
  contactPhone: string | null;
  status: "active" | "inactive";
  adsEnabled: boolean;
  elevatedLimits: boolean;
  platformId: string;
  platformName: string;
  sites: number;
  placements: number;
  activePlacements: number;
  createdAt: string;
  updatedAt: string;
};

/** Describes a site of the directory. */
export type Site = {
  id: string;
  name: string;
  domain: string | null;
  status: "pending" | "active" | "inactive";
  adsEnabled: boolean;
  publisherId: string;
  publisherName: string;
  placements: number;
  activePlacements: number;
  createdAt: string;
  updatedAt: string;
};

/** Describes a placement of the directory. */
export type Placement = {
  id: string;
  name: string;
  pageType: string;
  isLiveMode: boolean;
  status: "active" | "inactive";
  siteId: string;
  siteName: string;
  siteStatus: Site["status"];
  siteAdsEnabled: boolean;
  publisherId: string;
  publisherName: string;
  createdAt: string;
  updatedAt: string;
};

/** Holds a row of a report. Money is in US dollars, and missing where a token may not see it. */
export type ReportRow = {
  date?: string;
  requests?: number;
  fills?: number;
  impressions: number;
  viewable: number;
  clicks: number;
  closes: number;
  declines: number;
  conversions: number;
  ctr: number;
  revenue?: number;
  gross?: number;
  profit?: number;
  publisherId?: string;
  publisherName?: string | null;
  siteId?: string;
  siteName?: string | null;
  placementId?: string;
  placementName?: string | null;
  offerId?: string;
  offerName?: string | null;
  country?: string;
};

/** Describes a record of who changed what. */
export type AuditRecord = {
  id: string;
  actor: { kind: string; id: string | null };
  resource: { kind: string; id: string };
  action: "create" | "update" | "delete" | "erase";
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string;
  callerIpAddress: string | null;
  createdAt: string;
};

/** Describes a site as its publisher reads it. */
export type SiteDetail = {
  id: string;
  name: string;
  description: string | null;
  domain: string | null;
  orderVolume: number | null;
  averageOrder: number | null;
  ageDemographics: string | null;
  genderDemographics: string | null;
  category: { id: string; name: string } | null;
  status: Site["status"];
  adsEnabled: boolean;
};

/** Describes a private token, without its secret. The list of a publisher's own leaves some of it out. */
export type ApiToken = {
  id: string;
  name: string;
  access?: "READ" | "WRITE";
  revenueAccess: boolean;
  grossAccess: boolean;
  createdAt: string;
  expiresAt?: string | null;
  lastUsedOn?: string | null;
};

/** Describes a public key. */
export type PublicKey = { key: string; createdAt: string; expiresAt: string | null };

/** Describes a placement as its publisher reads it. */
export type PlacementDetail = {
  id: string;
  siteId: string;
  name: string;
  pageType: string;
  isLiveMode: boolean;
  template: number;
  data: Record<string, unknown>;
  status: Placement["status"];
};
