import type { CandidatesKey, DocumentKey, NetworkKey, PlacementKey, PublicKeyKey } from "./keys.ts";
import type { offers } from "../schema/demand.ts";
import type { RequestColumn } from "../schema/targeting.ts";
import type { PlacementStatus, Pricing, PublisherStatus, SiteStatus } from "../schema/values.ts";

/** Holds what a decision needs to know of a placement and its site. */
export type PlacementDocument = {
  status: PlacementStatus;
  isLiveMode: boolean;
  data: Record<string, unknown>;
  siteId: string;
  siteName: string;
  siteStatus: SiteStatus;
  siteAdsEnabled: boolean;
  publisherId: string;
  /** Tells when those facts of the site last changed that offers may target, in milliseconds since 1970. */
  factsChangedAt: number;
};

/**
 * Tells whom a public key belongs to. `expiresAt` is in milliseconds since 1970, null for a key without an end.
 * `holdoutPercent` is the share of sessions that see the order from before learning; documents of older versions lack
 * it.
 */
export type KeyDocument = {
  publisherId: string;
  status: PublisherStatus;
  adsEnabled: boolean;
  holdoutPercent?: number;
  expiresAt: number | null;
};

/** Names the members that say what a customer sees of a creative, and where it leads. */
type Shown =
  | "title"
  | "header"
  | "description"
  | "ctaText"
  | "declineButtonText"
  | "termsUrl"
  | "iconUrl"
  | "iconWidth"
  | "iconHeight"
  | "destinationUrl";

/** Holds what an offer shows besides its own texts: `weight` is that of its own texts, `others` are numbered from 2. */
export type Creatives = { weight: number; others: (Pick<Candidate, Shown> & { number: number; weight: number })[] };

/**
 * Describes an offer that may be shown at a site and in a country, with the targeting that only a request can decide.
 * Times are in milliseconds since 1970; for a reached daily cap, `startsAt` is when it ends. `serial` and
 * `advertiserSerial` name offer and advertiser in the network's list of changes; `changedAt` and `advertiserChangedAt`
 * are the last changes of each that this was built from. `revision` counts the versions of its price and destination.
 *
 * `valueMicros` is what one event of the kind that `pricing` names is worth, in micro-USD; `isNew` tells that hardly
 * anybody has seen the offer yet. Documents of older versions lack both, and `pricing`.
 *
 * `creatives` is there only where the offer has several. `creative` is never in a document: it names the one that a
 * decision shows (functions/decision/creatives.ts).
 */
export type Candidate = {
  id: string;
  serial: number;
  changedAt: number;
  advertiserSerial: number;
  advertiserChangedAt: number;
  revision: number;
  priority: number;
  ecpmMicros: number;
  pricing: Pricing;
  valueMicros: number;
  isNew?: boolean;
  startsAt: number | null;
  endsAt: number | null;
  title: string;
  header: string;
  description: string;
  ctaText: string;
  declineButtonText: string;
  termsUrl: string | null;
  iconUrl: string | null;
  iconWidth: number | null;
  iconHeight: number | null;
  destinationUrl: string;
  creatives?: Creatives;
  creative?: number;
} & Pick<typeof offers.$inferSelect, RequestColumn>;

/**
 * Tells what was seen of candidates in a placement and country, first clicks by impressions, then conversions by
 * clicks. `places` has what happened there, and what was expected there of its offers, adjusted so that `placeFactor`
 * gives the factor of the place; the second may be below 0. `strengths` has how many events two prior rates are worth:
 * that of an offer's advertiser, and the offer's own.
 *
 * `rates` has five numbers a stage for each candidate, in their order: the rate of its advertiser; its own count and
 * exposure over all places; its count and exposure here. CPC has one stage, CPA two, CPM none. One more number may
 * follow: by which factor it is clicked more elsewhere in the placement and elsewhere in the country. Rates are kept
 * apart from the offers, which placements share in memory.
 */
export type LearnedRates = {
  places: readonly number[];
  strengths: readonly number[];
  rates: readonly (readonly number[])[];
};

/**
 * Lists the best offers for one placement and country, best first. A `cut` document may leave out an offer that a
 * request needs. Any other becomes cut at `reopensAt`, in milliseconds since 1970, when a left-out offer starts, or a
 * listed one ends. `factsChangedAt` is when those facts of the site last changed that offers may target, as the
 * placement's document has it.
 */
export type CandidatesDocument = {
  offers: Candidate[];
  cut: boolean;
  reopensAt: number | null;
  factsChangedAt: number;
  learned?: LearnedRates;
};

/**
 * Lists serials by the milliseconds after the list's start at which they changed: `[[after, serial, serial, …], …]`.
 */
export type ChangeGroups = number[][];

/**
 * Lists what changed in the whole network since a time, in milliseconds since 1970. It says nothing about candidates
 * that were built before that time. An offer is listed when it was stopped, or its targeting, its reach or its
 * destination changed; an advertiser stands for all its offers. `tapered` lists offers near a cap by how often the
 * share of their sessions is halved: `[[halvings, serial, serial, …], …]`; `paced` lists offers that not all sessions
 * see, grouped by step, each group with its first serial and the gaps to the next ones: `[[step, serial, gap, gap, …],
 * …]`. Documents of older versions lack both. `targeted` lists the values that any offer asks requests for.
 */
export type NetworkDocument = {
  since: number;
  offers: ChangeGroups;
  advertisers: ChangeGroups;
  tapered?: number[][];
  paced?: number[][];
  targeted: Targeted;
};

/** Lists the languages, currencies and payment types that any offer has ever targeted. */
export type Targeted = { languages: string[]; currencies: string[]; paymentTypes: string[] };

/** Maps each kind of document to its content. */
export type Documents = {
  placement: PlacementDocument;
  key: KeyDocument;
  candidates: CandidatesDocument;
  /** Holds candidates for a narrower key. */
  narrow: CandidatesDocument;
  network: NetworkDocument;
};

/** Tells the content of a document by the type of its key. */
export type ContentOf<Key extends DocumentKey> = Key extends PlacementKey
  ? PlacementDocument
  : Key extends CandidatesKey
    ? CandidatesDocument
    : Key extends NetworkKey
      ? NetworkDocument
      : Key extends PublicKeyKey
        ? KeyDocument
        : never;

/**
 * Describes a document as it is stored. `builtAt` is the database's time of its build, in milliseconds since 1970;
 * `value` is null when its subject does not exist.
 */
export type Stored<Kind extends keyof Documents = keyof Documents> = { builtAt: number; value: Documents[Kind] | null };
