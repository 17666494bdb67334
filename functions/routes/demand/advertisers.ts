import * as z from "zod";
import {
  createAdvertiser,
  deleteAdvertiser,
  listAdvertisers,
  requireAdvertiser,
  rotateConversionSecret,
  updateAdvertiser,
  type Operator,
} from "../../../db/demand/advertisers.ts";
import { OFFER_STATUSES } from "../../../db/schema/values.ts";
import { factory } from "../../http/factory.ts";
import { listAnswer } from "../../http/answers.ts";
import { allow } from "../../http/credentials/auth.ts";
import { oneOf, page, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { statusBody } from "../lifecycle.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { announce } from "../../documents/announce.ts";

const createBody = () => z.object({ name: text(), platformId: text().nullish() });
const updateBody = () => z.object({ name: text() }).partial();
const listQuery = () =>
  z.object({
    ...page(),
    status: oneOf(OFFER_STATUSES).optional(),
    platformId: text().optional(),
    search: text().optional(),
  });

/** A platform's advertisers are its own; only the administrator says whose one is. */
const ownerOf = (operator: Operator, platformId: string | null | undefined): string | null => {
  if (operator.kind === "platform") return operator.platformId;
  return platformId ? pathId("Platform", platformId) : null;
};

/** Advertisers, under `/api/v1/advertisers`: a platform's own, or all for the administrator. */
export const advertisers = factory
  .createApp()
  .use(allow("operator"))
  .post("/", ...jsonBody(createBody), async (c) => {
    const { name, platformId } = c.req.valid("json");
    const advertiser = await createAdvertiser(
      c.var.db,
      ownerOf(c.var.actor, platformId),
      name,
      c.env.TOKEN_ENCRYPTION_KEY,
    );
    return c.json({ success: true, data: advertiser, message: "Advertiser created successfully" }, 201);
  })
  .get("/", query(listQuery), async (c) => {
    const { skip, take, ...filter } = c.req.valid("query");
    const found = await listAdvertisers(c.var.db, c.var.actor, filter, { skip, take });
    return c.json(listAnswer(found, { skip, take }));
  })
  .get("/:id", async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    return c.json({
      success: true,
      data: await requireAdvertiser(c.var.db, c.var.actor, id, c.env.TOKEN_ENCRYPTION_KEY),
    });
  })
  .put("/:id", ...jsonBody(updateBody), async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const advertiser = announce(c, await updateAdvertiser(c.var.db, c.var.actor, id, c.req.valid("json")));
    return c.json({ success: true, data: advertiser, message: "Advertiser updated successfully" });
  })
  .patch("/:id/status", ...statusBody(OFFER_STATUSES), async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const { status } = c.req.valid("json");
    const advertiser = announce(c, await updateAdvertiser(c.var.db, c.var.actor, id, { status }));
    return c.json({ success: true, data: advertiser, message: `Advertiser status updated to ${advertiser.status}` });
  })
  .post("/:id/conversion-secret", async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const rotated = await rotateConversionSecret(c.var.db, c.var.actor, id, c.env.TOKEN_ENCRYPTION_KEY);
    return c.json({ success: true, data: rotated, message: "Conversion secret rotated successfully" }, 201);
  })
  .delete("/:id", async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const done = announce(c, await deleteAdvertiser(c.var.db, c.var.actor, id));
    return c.json({ success: true, message: `Advertiser ${done} successfully` });
  });
