import * as z from "zod";
import { createPlatform, listPlatforms, rotatePlatformToken, updatePlatform } from "../../../db/accounts/platforms.ts";
import { announce } from "../../documents/publish.ts";
import { factory } from "../../http/factory.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { flag, pageQuery, rotationBody, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { idempotentOnce } from "../../http/writes/idempotent.ts";

const platformBody = () => z.object({ name: text(), elevatedLimits: flag().optional() });

/** Lists the members of a platform that a change may send back as they were read. */
const READ_ONLY = ["id", "createdAt", "updatedAt"];

const allowed = allow("admin");

/** Manages platforms, under `/api/v1/platforms`, for the administrator. A token is shown only when it is created. */
export const platforms = factory
  .createApp()
  .post("/", allowed, ...jsonBody(platformBody), idempotentOnce, async (c) => {
    const platform = announce(c, await createPlatform(c.var.db, c.req.valid("json")));
    return c.json({ success: true, data: platform, message: "Platform created successfully" }, 201);
  })
  .get("/", allowed, query(pageQuery), async (c) => {
    const part = c.req.valid("query");
    return c.json(listAnswer(await listPlatforms(c.var.db, part), part));
  })
  .put("/:id", allowed, ...jsonBody(() => platformBody().partial(), { readOnly: READ_ONLY }), async (c) => {
    const id = pathId("Platform", c.req.param("id"));
    const platform = announce(c, await updatePlatform(c.var.db, id, c.req.valid("json")));
    return c.json({ success: true, data: platform, message: "Platform updated successfully" });
  })
  .post("/:id/token", allowed, ...jsonBody(rotationBody), idempotentOnce, async (c) => {
    const id = pathId("Platform", c.req.param("id"));
    const { overlapSeconds } = c.req.valid("json");
    const token = announce(c, await rotatePlatformToken(c.var.db, id, overlapSeconds));
    return c.json({ success: true, data: token, message: "Platform token rotated successfully" }, 201);
  });
