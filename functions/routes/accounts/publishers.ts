import * as z from "zod";
import { listPublisherEvents } from "../../../db/accounts/audit.ts";
import { switchPublisher } from "../../../db/accounts/switch-publisher.ts";
import {
  createPublisher,
  deletePublisher,
  listPublishers,
  requireOwnPublisher,
  requirePublisher,
  requireReach,
  setPublisherLimits,
  updatePublisher,
} from "../../../db/accounts/publishers.ts";
import { PUBLISHER_STATUSES } from "../../../db/schema/values.ts";
import { listApiTokens } from "../../../db/accounts/tokens.ts";
import { factory } from "../../http/factory.ts";
import { callerAddress, listAnswer } from "../../http/answers.ts";
import { allow } from "../../http/credentials/auth.ts";
import { email, flag, include, page, pageQuery, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { adsBody, statusBody } from "../../http/input/lifecycle.ts";
import { noStore } from "../../http/no-store.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { announceChanges } from "../../documents/changes.ts";

const publisherBody = () =>
  z.object({
    name: text(),
    contactName: text(),
    contactEmail: email(),
    contactPhone: text().optional(),
  });

const listQuery = () => z.object({ ...page(), include: include() });
const oneQuery = () => z.object({ include: include() });

/** The contract's 4.1. */
export const publishers = factory
  .createApp()
  .use(noStore)
  .post("/", allow("platform"), ...jsonBody(publisherBody), async (c) => {
    const { platformId } = c.var.actor;
    const publisher = await createPublisher(c.var.db, platformId, c.req.valid("json"), c.env.TOKEN_ENCRYPTION_KEY);
    return c.json({ success: true, data: publisher, message: "Publisher created successfully" }, 201);
  })
  .get("/", allow("platform"), query(listQuery), async (c) => {
    const { include: related, ...part } = c.req.valid("query");
    const found = await listPublishers(c.var.db, c.var.actor.platformId, part, related !== undefined);
    return c.json(listAnswer(found, part));
  })
  .get("/me", allow("publisher"), query(oneQuery), async (c) => {
    const related = c.req.valid("query").include !== undefined;
    const publisher = await requireOwnPublisher(c.var.db, c.var.actor, related);
    return c.json({ success: true, data: publisher });
  })
  .get("/:id", allow("publisher"), query(oneQuery), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const related = c.req.valid("query").include !== undefined;
    const publisher = await requirePublisher(c.var.db, c.var.actor, id, related);
    return c.json({ success: true, data: publisher });
  })
  .put("/:id", allow("publisher"), ...jsonBody(() => publisherBody().partial()), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const publisher = await updatePublisher(db, id, c.req.valid("json"));
    return c.json({ success: true, data: publisher, message: "Publisher updated successfully" });
  })
  .get("/:id/api-tokens", allow("publisher"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    return c.json({ success: true, data: await listApiTokens(db, id, c.env.TOKEN_ENCRYPTION_KEY) });
  })
  .patch("/:id/status", allow("anyone"), ...statusBody(PUBLISHER_STATUSES), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { status, reason } = c.req.valid("json");
    const request = { actor: c.var.actor, callerIpAddress: callerAddress(c), reason };
    const { subject, documents } = await switchPublisher(c.var.db, id, { status }, request);
    announceChanges(c.env, c.executionCtx, documents);
    return c.json({ success: true, data: subject, message: `Publisher status updated to ${subject.status}` });
  })
  .patch("/:id/ads", allow("anyone"), ...adsBody(), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { adsEnabled, reason } = c.req.valid("json");
    const request = { actor: c.var.actor, callerIpAddress: callerAddress(c), reason };
    const { subject, documents } = await switchPublisher(c.var.db, id, { adsEnabled }, request);
    announceChanges(c.env, c.executionCtx, documents);
    return c.json({
      success: true,
      data: subject,
      message: `Publisher ads ${subject.adsEnabled ? "enabled" : "disabled"}`,
    });
  })
  .patch("/:id/limits", allow("operator"), ...jsonBody(() => z.object({ elevatedLimits: flag() })), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const publisher = await setPublisherLimits(db, id, c.req.valid("json").elevatedLimits);
    return c.json({ success: true, data: publisher, message: "Publisher limits updated successfully" });
  })
  .get("/:id/events", allow("anyone"), query(pageQuery), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const part = c.req.valid("query");
    return c.json(listAnswer(await listPublisherEvents(db, id, part), part));
  })
  .delete("/:id", allow("publisher"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    announceChanges(c.env, c.executionCtx, await deletePublisher(db, id));
    return c.json({ success: true, message: "Publisher deleted successfully" });
  });
