import * as z from "zod";
import { count, named, object, time } from "./common.ts";

const deployment = named(
  "Deployment",
  object({ id: z.string(), tag: z.string().nullable(), createdAt: time().nullable() }),
);
const duty = named("CronDuty", object({ name: z.string(), isRunning: z.boolean(), endedAt: time().nullable() }));
const kept = named(
  "Kept",
  object({
    kind: z.enum(["impressions", "clicks", "conversions", "rejects", "flushes", "audit"]),
    days: count(),
    oldestAt: time().nullable(),
  }),
);
export const operating = named(
  "Operating",
  object({
    version: named("ServiceVersion", object({ service: z.string(), deployment: deployment.nullable() })),
    hits: named("StoredHits", object({ lastFiveMinutes: count(), lastAt: time().nullable() })),
    duties: z.array(duty),
    retention: z.array(kept),
  }),
);
export const waiting = named("OutboxEntry", object({ key: z.string(), since: time(), changes: count() }));
