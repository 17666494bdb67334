import type { AuditRecord, SwitchRecord } from "#client";

type Audited = Pick<AuditRecord, "id" | "before" | "after" | "createdAt">;
type Switched = Pick<SwitchRecord, "reason" | "before" | "after" | "createdAt">;

/** Limits how long one change may take to be written into both lists. */
const SAME_MS = 10_000;

const isOf = (record: Audited, event: Switched): boolean =>
  Math.abs(Date.parse(record.createdAt) - Date.parse(event.createdAt)) < SAME_MS &&
  (["status", "adsEnabled"] as const).every((name) =>
    event.before[name] === event.after[name]
      ? record.after?.[name] === undefined
      : record.before?.[name] === event.before[name] && record.after?.[name] === event.after[name],
  );

/**
 * Returns why things were switched, by the ids of the audit's records, which do not tell that themselves.
 *
 * @param records of one resource, newest first
 * @param events its switches, newest first; those that changed nothing have no record
 */
export const reasonsOf = (records: readonly Audited[], events: readonly Switched[]): Map<string, string> => {
  const reasons = new Map<string, string>();
  let left = records;
  for (const event of events) {
    const at = left.findIndex((record) => isOf(record, event));
    const isChange = event.before.status !== event.after.status || event.before.adsEnabled !== event.after.adsEnabled;
    if (at < 0 || !isChange) continue;
    if (event.reason) reasons.set(left[at]!.id, event.reason);
    left = left.slice(at + 1);
  }
  return reasons;
};
