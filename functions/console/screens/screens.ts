import type { FunctionComponent } from "preact";
import type { Kind, Principal } from "../api/session.ts";
import { later } from "../frame/later.tsx";
import type { IconName } from "../parts/icon.tsx";

/** Describes a screen: its address, who may see it, and its place in the menu, if it has one. */
export type Screen = {
  path: string;
  kinds: readonly Kind[];
  /** Leaves it out for tokens that only read. */
  needsWrite?: boolean;
  screen: FunctionComponent;
  /** Puts it into the menu under a heading, with a picture and the key that follows `g`. */
  menu?: { text: string; group: string; icon: IconName; key: string };
};

const ALL = ["admin", "platform", "publisher"] as const;
const MANAGERS = ["admin", "platform"] as const;

/** Lists all screens; the menu has them in this order. */
const SCREENS: readonly Screen[] = [
  {
    path: "/console",
    kinds: ALL,
    screen: later(async () => (await import("./overview/overview.tsx")).OverviewScreen),
    menu: { text: "Overview", group: "", icon: "overview", key: "h" },
  },
  {
    path: "/console/platforms",
    kinds: ["admin"],
    screen: later(async () => (await import("./platforms/platforms.tsx")).Platforms),
    menu: { text: "Platforms", group: "Inventory", icon: "platforms", key: "t" },
  },
  {
    path: "/console/publishers",
    kinds: MANAGERS,
    screen: later(async () => (await import("./publishers/publishers.tsx")).Publishers),
    menu: { text: "Publishers", group: "Inventory", icon: "publishers", key: "p" },
  },
  {
    path: "/console/sites",
    kinds: ALL,
    screen: later(async () => (await import("./sites/sites.tsx")).Sites),
    menu: { text: "Sites", group: "Inventory", icon: "sites", key: "s" },
  },
  {
    path: "/console/placements",
    kinds: ALL,
    screen: later(async () => (await import("./placements/placements.tsx")).Placements),
    menu: { text: "Placements", group: "Inventory", icon: "placements", key: "l" },
  },
  {
    path: "/console/advertisers",
    kinds: MANAGERS,
    screen: later(async () => (await import("./advertisers/advertisers.tsx")).Advertisers),
    menu: { text: "Advertisers", group: "Demand", icon: "advertisers", key: "a" },
  },
  {
    path: "/console/offers",
    kinds: MANAGERS,
    screen: later(async () => (await import("./offers/offers.tsx")).Offers),
    menu: { text: "Offers", group: "Demand", icon: "offers", key: "o" },
  },
  {
    path: "/console/advertisers/:id",
    kinds: MANAGERS,
    screen: later(async () => (await import("./advertisers/advertiser.tsx")).Advertiser),
  },
  {
    path: "/console/offers/new",
    kinds: MANAGERS,
    screen: later(async () => (await import("./offers/editing/edit-offer.tsx")).NewOffer),
  },
  {
    path: "/console/offers/import",
    kinds: MANAGERS,
    needsWrite: true,
    screen: later(async () => (await import("./import/import.tsx")).Import),
  },
  {
    path: "/console/offers/:id",
    kinds: MANAGERS,
    screen: later(async () => (await import("./offers/offer.tsx")).Offer),
  },
  {
    path: "/console/offers/:id/edit",
    kinds: MANAGERS,
    screen: later(async () => (await import("./offers/editing/edit-offer.tsx")).EditOffer),
  },
  {
    path: "/console/publishers/:id",
    kinds: MANAGERS,
    screen: later(async () => (await import("./publishers/publisher.tsx")).Publisher),
  },
  {
    path: "/console/sites/:id",
    kinds: ALL,
    screen: later(async () => (await import("./sites/site.tsx")).Site),
  },
  {
    path: "/console/placements/:id",
    kinds: ALL,
    screen: later(async () => (await import("./placements/placement.tsx")).Placement),
  },
  {
    path: "/console/placements/:id/looks",
    kinds: ["publisher"],
    screen: later(async () => (await import("./placements/looks.tsx")).Looks),
  },
  {
    path: "/console/reports",
    kinds: ALL,
    screen: later(async () => (await import("./reports/reports.tsx")).Reports),
    menu: { text: "Reports", group: "Insight", icon: "reports", key: "r" },
  },
  {
    path: "/console/reports/learning",
    kinds: ALL,
    screen: later(async () => (await import("./reports/learning.tsx")).Learning),
  },
  {
    path: "/console/explain",
    kinds: ALL,
    needsWrite: true,
    screen: later(async () => (await import("./explain/explain.tsx")).Explain),
    menu: { text: "Explain", group: "Insight", icon: "explain", key: "e" },
  },
  {
    path: "/console/audit",
    kinds: ALL,
    screen: later(async () => (await import("./audit/audit.tsx")).Audit),
    menu: { text: "Audit", group: "Insight", icon: "audit", key: "u" },
  },
  {
    path: "/console/operations",
    kinds: ["admin"],
    screen: later(async () => (await import("./operations/operations.tsx")).Operations),
    menu: { text: "Operations", group: "Service", icon: "operations", key: "x" },
  },
  {
    path: "/console/messages",
    kinds: ["platform", "publisher"],
    screen: later(async () => (await import("./operations/messages.tsx")).Messages),
  },
  {
    path: "/console/account",
    kinds: ["publisher"],
    screen: later(async () => (await import("./publishers/publisher.tsx")).Publisher),
    menu: { text: "Account and keys", group: "Account", icon: "publishers", key: "k" },
  },
];

/** Lists the screens that somebody may see. */
export const screensOf = ({ kind, access }: Pick<Principal, "kind" | "access">): readonly Screen[] =>
  SCREENS.filter(({ kinds, needsWrite = false }) => kinds.includes(kind) && (!needsWrite || access === "WRITE"));
