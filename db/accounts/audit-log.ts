import { and, count, desc, eq, gte, lt } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import type { Page } from "../core/paging.ts";
import { auditLog } from "../schema/audit.ts";
import type { AUDIT_ACTIONS, AUDITED_KINDS } from "../schema/values.ts";
import type { Actor } from "./actor.ts";
import { withTimes } from "./audited-times.ts";
import { ownedBy } from "./reach.ts";

const shape = {
  id: auditLog.id,
  actor: { kind: auditLog.actorKind, id: auditLog.actorId },
  resource: { kind: auditLog.resourceKind, id: auditLog.resourceId },
  action: auditLog.action,
  publisherId: auditLog.publisherId,
  platformId: auditLog.platformId,
  before: auditLog.before,
  after: auditLog.after,
  reason: auditLog.reason,
  requestId: auditLog.requestId,
  callerIpAddress: auditLog.callerIpAddress,
  createdAt: auditLog.createdAt,
};

/** Says which changes to list: `from` is included, `to` is not. */
export type AuditFilter = {
  resource?: (typeof AUDITED_KINDS)[number] | undefined;
  id?: string | undefined;
  action?: (typeof AUDIT_ACTIONS)[number] | undefined;
  publisherId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** Lists the changes that an actor may know of, newest first, and counts them. */
export const listAudit = async (db: Db, actor: Actor, filter: AuditFilter, page: Page) => {
  const wanted = and(
    ownedBy(actor, auditLog.publisherId, auditLog.platformId),
    filter.resource && eq(auditLog.resourceKind, filter.resource),
    filter.id === undefined ? undefined : eq(auditLog.resourceId, filter.id),
    filter.action && eq(auditLog.action, filter.action),
    filter.publisherId === undefined ? undefined : eq(auditLog.publisherId, filter.publisherId),
    filter.from && gte(auditLog.createdAt, filter.from),
    filter.to && lt(auditLog.createdAt, filter.to),
  );
  const [rows, [all]] = await db.batch([
    db
      .select(shape)
      .from(auditLog)
      .where(wanted)
      .orderBy(desc(auditLog.createdAt), auditLog.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(auditLog).where(wanted),
  ]);
  for (const row of rows) {
    row.before = withTimes(row.resource.kind, row.before);
    row.after = withTimes(row.resource.kind, row.after);
  }
  return { rows, total: all?.total ?? 0 };
};
