import { createCreative, listCreatives, requireCreative, updateCreative } from "../../../db/demand/creatives.ts";
import { OFFER_STATUSES } from "../../../db/schema/values.ts";
import { announce } from "../../documents/publish.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { pathId } from "../../http/input/ids.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { dryRunnable } from "../../http/writes/dry-run.ts";
import { idempotent } from "../../http/writes/idempotent.ts";
import { ifMatch, tagged } from "../../http/writes/tags.ts";
import { statusBody } from "../lifecycle.ts";
import {
  creativeAnswer,
  creativeBody,
  creativeChange,
  creativeChangeOf,
  creativeInput,
  ownerField,
  READ_ONLY,
} from "./creative-body.ts";

/** Manages what offers show besides their own texts, under `/api/v1/offers/:id/creatives`. */
export const creatives = factory
  .createApp()
  .post("/:id/creatives", allow("manager"), ...dryRunnable, ...jsonBody(creativeBody), idempotent, async (c) => {
    const offerId = pathId("Offer", c.req.param("id"));
    const input = creativeInput(c.req.valid("json"));
    const creative = announce(c, await createCreative(c.var.db, c.var.actor, offerId, input));
    return c.json(
      { success: true, data: creativeAnswer(tagged(c, creative)), message: "Creative created successfully" },
      201,
    );
  })
  .get("/:id/creatives", allow("manager"), async (c) => {
    const found = await listCreatives(c.var.db, c.var.actor, pathId("Offer", c.req.param("id")));
    return c.json({ success: true, data: found.map(creativeAnswer) });
  })
  .get("/:id/creatives/:creativeId", allow("manager"), async (c) => {
    const offerId = pathId("Offer", c.req.param("id"));
    const id = pathId("Creative", c.req.param("creativeId"));
    const creative = await requireCreative(c.var.db, c.var.actor, offerId, id);
    return c.json({ success: true, data: creativeAnswer(tagged(c, creative)) });
  })
  .put(
    "/:id/creatives/:creativeId",
    allow("manager"),
    ...dryRunnable,
    ...jsonBody(creativeChange, { readOnly: READ_ONLY }),
    ifMatch,
    async (c) => {
      const { id, creativeId } = c.req.param();
      const change = creativeChangeOf(c.req.valid("json"));
      const creative = announce(c, await updateCreative(c.var.db, c.var.actor, id, creativeId, change));
      return c.json({
        success: true,
        data: creativeAnswer(tagged(c, creative)),
        message: "Creative updated successfully",
      });
    },
  )
  .patch(
    "/:id/creatives/:creativeId/status",
    allow("manager"),
    ...statusBody(OFFER_STATUSES, READ_ONLY, ownerField),
    ifMatch,
    async (c) => {
      const { id, creativeId } = c.req.param();
      const { reason: _, ...change } = c.req.valid("json");
      const creative = announce(c, await updateCreative(c.var.db, c.var.actor, id, creativeId, change));
      const message = `Creative status updated to ${creative.status}`;
      return c.json({ success: true, data: creativeAnswer(tagged(c, creative)), message });
    },
  )
  .delete("/:id/creatives/:creativeId", allow("manager"), ...dryRunnable, ifMatch, async (c) => {
    const { id, creativeId } = c.req.param();
    tagged(c, announce(c, await updateCreative(c.var.db, c.var.actor, id, creativeId, { status: "archived" })));
    return c.json({ success: true, message: "Creative archived successfully" });
  });
