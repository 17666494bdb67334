import * as z from "zod";
import {
  AUDIT_ACTIONS,
  AUDITED_KINDS,
  PUBLISHER_STATUSES,
  RANK_BYS,
  SITE_STATUSES,
  TOKEN_ACCESSES,
} from "../../../db/schema/values.ts";
import { count, day, idOf, loosely, named, object, time } from "./common.ts";

const platformMembers = {
  id: idOf("platform"),
  name: z.string(),
  elevatedLimits: z.boolean(),
  createdAt: time(),
  updatedAt: time(),
};
export const platform = named("Platform", object(platformMembers));
export const newPlatform = named("NewPlatform", object({ ...platformMembers, token: z.string() }));
export const platformToken = named(
  "PlatformToken",
  object({ id: idOf("platform"), token: z.string(), createdAt: time() }),
);

const summaryMembers = { id: idOf("publisher"), name: z.string(), createdAt: time(), updatedAt: time() };
const sites = z.array(named("SiteName", object({ id: idOf("site"), name: z.string(), createdAt: time() })));
export const publisherSummary = named("PublisherSummary", object({ ...summaryMembers, sites: sites.optional() }));
export const changedPublisher = named("ChangedPublisher", object(summaryMembers));
export const newPublisher = named(
  "NewPublisher",
  object({
    ...summaryMembers,
    publicKeys: z.array(z.string()),
    privateKeys: z.array(
      named("FirstToken", object({ id: idOf("token"), name: z.string(), bearer: z.string(), createdAt: time() })),
    ),
  }),
);
export const publisher = named(
  "Publisher",
  object({
    id: idOf("publisher"),
    name: z.string(),
    contactName: z.string(),
    contactEmail: z.string(),
    contactPhone: z.string().nullable(),
    createdAt: time(),
    updatedAt: time(),
    status: z.enum(PUBLISHER_STATUSES),
    sites: sites.optional(),
  }),
);
export const publisherSwitches = named(
  "PublisherSwitches",
  object({
    id: idOf("publisher"),
    name: z.string(),
    status: z.enum(PUBLISHER_STATUSES),
    adsEnabled: z.boolean(),
  }),
);
export const publisherLimits = named(
  "PublisherLimits",
  object({ id: idOf("publisher"), name: z.string(), elevatedLimits: z.boolean() }),
);
export const publisherOrder = named(
  "PublisherOrder",
  object({
    id: idOf("publisher"),
    name: z.string(),
    rankBy: z.enum(RANK_BYS),
    holdoutPercent: z.int().min(0).max(50),
  }),
);

export const listedToken = named(
  "ListedToken",
  object({
    id: idOf("token"),
    name: z.string(),
    bearer: z.string().nullable(),
    revenueAccess: z.boolean(),
    grossAccess: z.boolean(),
    createdAt: time(),
  }),
);
const tokenMembers = {
  id: idOf("token"),
  name: z.string(),
  access: z.enum(TOKEN_ACCESSES),
  revenueAccess: z.boolean(),
  grossAccess: z.boolean(),
  createdAt: time(),
  expiresAt: time().nullable(),
  lastUsedOn: day().nullable(),
};
export const token = named("Token", object(tokenMembers));
export const newToken = named("NewToken", object({ ...tokenMembers, bearer: z.string() }));
export const publicKey = named(
  "PublicKey",
  object({ key: z.string(), createdAt: time(), expiresAt: time().nullable() }),
);

const switches = named("SwitchState", object({ status: z.enum(SITE_STATUSES), adsEnabled: z.boolean() }));
export const switchRecord = named(
  "SwitchRecord",
  object({
    id: idOf("event"),
    source: z.string(),
    eventType: z.string(),
    payload: z.record(z.string(), z.string().nullable()),
    reason: z.string().nullable(),
    before: loosely(switches),
    after: loosely(switches),
    createdAt: time(),
  }),
);
const members = () => loosely(z.record(z.string(), z.unknown()).nullable());
export const auditRecord = named(
  "AuditRecord",
  object({
    id: idOf("event"),
    actor: named("AuditActor", object({ kind: z.enum(["publisher", "platform", "admin"]), id: z.string().nullable() })),
    resource: named("AuditedResource", object({ kind: z.enum(AUDITED_KINDS), id: z.string() })),
    action: z.enum(AUDIT_ACTIONS),
    publisherId: z.string().nullable(),
    platformId: z.string().nullable(),
    before: members(),
    after: members(),
    reason: z.string().nullable(),
    requestId: z.string(),
    callerIpAddress: z.string().nullable(),
    createdAt: time(),
  }),
);
export const erased = named("Erased", object({ events: count(), rejects: count(), deadLetters: count() }));
