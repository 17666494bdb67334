import * as z from "zod";
import { listPublisherEvents } from "../../../db/accounts/audit.ts";
import { switchPublisher } from "../../../db/accounts/publishers/switching.ts";
import {
  createPublisher,
  deletePublisher,
  listPublishers,
  requirePublisher,
  requirePublisherSummary,
  setPublisherLimits,
  updatePublisher,
} from "../../../db/accounts/publishers/publishers.ts";
import { requirePublisherOrder, setPublisherOrder } from "../../../db/accounts/publishers/publisher-order.ts";
import { HOLDOUT_PERCENT, PUBLISHER_STATUSES, RANK_BYS } from "../../../db/schema/values.ts";
import { listApiTokens, resealTokens } from "../../../db/accounts/credentials/read-tokens.ts";
import { factory } from "../../http/factory.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow, reachPublisher } from "../../http/credentials/auth.ts";
import { email, flag, include, integer, oneOf, page, pageQuery, text } from "../../http/input/fields.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { dryRunnable } from "../../http/writes/dry-run.ts";
import { idempotent } from "../../http/writes/idempotent.ts";
import { ifMatch, tagged } from "../../http/writes/tags.ts";
import { settingsOf } from "../../env.ts";
import { announce } from "../../documents/publish.ts";
import { adsBody, statusBody, switching } from "../lifecycle.ts";
import { withSecrets } from "../sealed.ts";

const publisherBody = () =>
  z.object({
    name: text(),
    contactName: text(),
    contactEmail: email(),
    contactPhone: text().optional(),
  });

const listQuery = () => z.object({ ...page(), include: include() });
const oneQuery = () => z.object({ include: include() });

const limitsBody = () => z.object({ elevatedLimits: flag() });
const orderBody = () =>
  z
    .object({ rankBy: oneOf(RANK_BYS).optional(), holdoutPercent: integer(0, HOLDOUT_PERCENT.most).optional() })
    .refine(({ rankBy, holdoutPercent }) => rankBy !== undefined || holdoutPercent !== undefined, {
      path: ["rankBy"],
      message: "is required, or holdoutPercent",
    });

/** Lists the members of a publisher that a change of its limits may send back as they were read. */
const READ_ONLY = ["id", "name", "createdAt", "updatedAt", "sites"];

const flip = switching("Publisher", switchPublisher);

/** Manages publishers, under `/api/v1/publishers`. */
export const publishers = factory
  .createApp()
  .post("/", allow("platform"), ...dryRunnable, ...jsonBody(publisherBody), idempotent, async (c) => {
    const { platformId } = c.var.actor;
    const made = await createPublisher(
      c.var.db,
      platformId,
      c.req.valid("json"),
      settingsOf(c.env).TOKEN_ENCRYPTION_KEY,
    );
    const publisher = tagged(c, announce(c, made));
    return c.json({ success: true, data: publisher, message: "Publisher created successfully" }, 201);
  })
  .get("/", allow("platform"), query(listQuery), async (c) => {
    const { include: related, ...part } = c.req.valid("query");
    const found = await listPublishers(c.var.db, c.var.actor.platformId, part, related !== undefined);
    return c.json(listAnswer(found, part));
  })
  .get("/me", allow("publisher"), query(oneQuery), async (c) => {
    const related = c.req.valid("query").include !== undefined;
    const publisher = await requirePublisherSummary(c.var.db, c.var.actor.publisherId, related);
    return c.json({ success: true, data: tagged(c, publisher) });
  })
  .get("/:id", allow("publisher"), query(oneQuery), reachPublisher, async (c) => {
    const related = c.req.valid("query").include !== undefined;
    return c.json({ success: true, data: tagged(c, await requirePublisher(c.var.db, c.var.publisherId, related)) });
  })
  .put(
    "/:id",
    allow("publisher"),
    ...dryRunnable,
    ...jsonBody(() => publisherBody().extend({ contactPhone: text().nullable() }).partial()),
    ifMatch,
    reachPublisher,
    async (c) => {
      const publisher = tagged(c, announce(c, await updatePublisher(c.var.db, c.var.publisherId, c.req.valid("json"))));
      return c.json({ success: true, data: publisher, message: "Publisher updated successfully" });
    },
  )
  .get("/:id/api-tokens", allow("publisher"), query(pageQuery), reachPublisher, async (c) => {
    const { db, publisherId, actor } = c.var;
    const isPage = c.req.query("skip") !== undefined || c.req.query("take") !== undefined;
    const part = isPage ? c.req.valid("query") : undefined;
    const tokens = await listApiTokens(db, publisherId, actor, part, settingsOf(c.env).TOKEN_ENCRYPTION_KEY);
    return c.json({ success: true, data: withSecrets(c, tokens, resealTokens) });
  })
  .patch(
    "/:id/status",
    allow("owner"),
    ...dryRunnable,
    ...statusBody(PUBLISHER_STATUSES),
    ifMatch,
    reachPublisher,
    flip,
  )
  .patch("/:id/ads", allow("owner"), ...dryRunnable, ...adsBody(), ifMatch, reachPublisher, flip)
  .patch(
    "/:id/limits",
    allow("manager"),
    ...jsonBody(limitsBody, { readOnly: READ_ONLY }),
    ifMatch,
    reachPublisher,
    async (c) => {
      const { elevatedLimits } = c.req.valid("json");
      const publisher = tagged(c, announce(c, await setPublisherLimits(c.var.db, c.var.publisherId, elevatedLimits)));
      return c.json({ success: true, data: publisher, message: "Publisher limits updated successfully" });
    },
  )
  .get("/:id/order", allow("owner"), reachPublisher, async (c) =>
    c.json({ success: true, data: tagged(c, await requirePublisherOrder(c.var.db, c.var.publisherId)) }),
  )
  .patch(
    "/:id/order",
    allow("owner"),
    ...jsonBody(orderBody, { readOnly: READ_ONLY }),
    ifMatch,
    reachPublisher,
    async (c) => {
      const publisher = tagged(
        c,
        announce(c, await setPublisherOrder(c.var.db, c.var.publisherId, c.req.valid("json"))),
      );
      return c.json({ success: true, data: publisher, message: "Publisher order updated successfully" });
    },
  )
  .get("/:id/events", allow("owner"), query(pageQuery), reachPublisher, async (c) => {
    const part = c.req.valid("query");
    return c.json(listAnswer(await listPublisherEvents(c.var.db, c.var.publisherId, part), part));
  })
  .delete("/:id", allow("publisher"), ...dryRunnable, ifMatch, reachPublisher, async (c) => {
    announce(c, await deletePublisher(c.var.db, c.var.publisherId));
    return c.json({ success: true, message: "Publisher deleted successfully" });
  });
