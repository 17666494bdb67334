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

/** Describes who pays for offers. The secret is there where one advertiser is read by itself. */
export type Advertiser = {
  id: string;
  name: string;
  platformId: string | null;
  reach: "PLATFORM" | "NETWORK";
  status: "active" | "paused" | "archived";
  conversionSecret?: string | null;
  createdAt: string;
  updatedAt: string;
};

/** Holds what customers see of an offer or of one of its creatives. */
export type Shown = {
  name: string;
  title: string;
  header: string;
  description: string;
  ctaText: string;
  declineButtonText: string;
  termsUrl: string | null;
  icon: { url: string; width: number; height: number } | null;
  destinationUrl: string;
  status: "active" | "paused" | "archived";
};

/** Holds who an offer is for. */
export type Targeting = {
  countries: string[];
  languages: string[];
  currencies: string[];
  amountMin: number | null;
  amountMax: number | null;
  paymentTypes: string[];
  categories: string[];
  ageDemographics: string[];
  genderDemographics: string[];
  includePublishers: string[];
  excludePublishers: string[];
  includeSites: string[];
  excludeSites: string[];
};

/** Describes an offer. */
export type Offer = Shown & {
  id: string;
  advertiserId: string;
  startsAt: string | null;
  endsAt: string | null;
  priority: number;
  pricing: "CPM" | "CPC" | "CPA";
  bidMicros: number;
  publisherShareBps: number;
  dailyCap: number | null;
  lifetimeCap: number | null;
  pacing: "ASAP" | "EVEN";
  usage: { today: number; lifetime: number; reached: "DAILY" | "LIFETIME" | null } | null;
  creativeSplit: "WEIGHTS" | "LEARNED";
  creativeWeight: number;
  targeting: Targeting;
  createdAt: string;
  updatedAt: string;
};

/** Describes a further creative of an offer. */
export type Creative = Shown & { id: string; offerId: string; number: number; weight: number };
