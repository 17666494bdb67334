import { version } from "../../../package.json";
import { listOutbox } from "../../../db/publishing/outbox.ts";
import { readOperating } from "../../../db/tracking/operations.ts";
import { retentionOf } from "../../events/removing.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { pageQuery } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";

type Deployment = { id: string; tag: string | null; createdAt: string | null };

/** Returns the running deployment; null if the platform names none. */
const deploymentOf = ({ DEPLOYMENT }: Partial<Env>): Deployment | null => {
  if (!DEPLOYMENT?.id) return null;
  const made = Date.parse(DEPLOYMENT.timestamp);
  return {
    id: DEPLOYMENT.id,
    tag: DEPLOYMENT.tag || null,
    createdAt: Number.isNaN(made) ? null : new Date(made).toISOString(),
  };
};

/** Answers `GET /api/v1/operations`: the state of storing hits, the cron and removals, and which version is running. */
export const operations = factory.createApp().get("/", allow("admin"), async (c) => {
  const { hits, duties, oldest } = await readOperating(c.var.db);
  const retention = Object.entries(retentionOf(c.env)).map(([kind, days]) => ({
    kind: kind as keyof typeof oldest,
    days,
    oldestAt: oldest[kind as keyof typeof oldest],
  }));
  return c.json({
    success: true,
    data: { version: { service: version, deployment: deploymentOf(c.env) }, hits, duties, retention },
  });
});

/** Answers `GET /api/v1/outbox`: the documents that wait to be published, the longest waiting first. */
export const outbox = factory.createApp().get("/", allow("admin"), query(pageQuery), async (c) => {
  const page = c.req.valid("query");
  return c.json(listAnswer(await listOutbox(c.var.db, page), page));
});
