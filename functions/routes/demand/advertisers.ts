import * as z from "zod";
import type { Manager } from "../../../db/accounts/actor.ts";
import type { ChangeRequest } from "../../../db/accounts/publishers/switching.ts";
import {
  createAdvertiser,
  deleteAdvertiser,
  listAdvertisers,
  requireAdvertiser,
  resealAdvertisers,
  rotateConversionSecret,
  updateAdvertiser,
} from "../../../db/demand/advertisers.ts";
import { OFFER_STATUSES, REACHES, type OfferStatus } from "../../../db/schema/values.ts";
import { factory } from "../../http/factory.ts";
import { invalidInput } from "../../http/errors.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { oneOf, page, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { statusBody, switching } from "../lifecycle.ts";
import { withSecrets } from "../sealed.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { dryRunnable } from "../../http/writes/dry-run.ts";
import { idempotent, idempotentOnce } from "../../http/writes/idempotent.ts";
import { howGone, ifMatch, tagged } from "../../http/writes/tags.ts";
import { settingsOf } from "../../env.ts";
import { announce } from "../../documents/publish.ts";

const createBody = () => z.object({ name: text(), platformId: text().nullish() });
/** Checks the platform of an advertiser, if a change names it. */
const ownerField = () => ({ platformId: text().nullish() });
const updateBody = () =>
  z.object({ name: text(), status: oneOf(OFFER_STATUSES), reach: oneOf(REACHES), ...ownerField() }).partial();

/** Lists the members of an advertiser that a change may send back as they were read. */
const READ_ONLY = ["id", "conversionSecret", "pixelKey", "createdAt", "updatedAt"];

const listQuery = () =>
  z.object({
    ...page(),
    status: oneOf(OFFER_STATUSES).optional(),
    platformId: text().optional(),
    search: text().optional(),
  });

/** Returns the owner of a new advertiser: the platform that creates it, or whom the administrator names. */
const ownerOf = (manager: Manager, platformId: string | null | undefined): string | null => {
  if (manager.kind === "platform") {
    if (platformId === undefined || platformId === manager.platformId) return manager.platformId;
    throw invalidInput(["platformId: must be left out, or your own"]);
  }
  return platformId ? pathId("Platform", platformId) : null;
};

const flip = switching(
  "Advertiser",
  (db, { actor, id, change }: ChangeRequest<Manager, { status: OfferStatus; platformId?: string | null }>) =>
    updateAdvertiser(db, actor, id, change),
);

const allowed = allow("manager");

/** Manages advertisers, under `/api/v1/advertisers`: a platform's own, or all for the administrator. */
export const advertisers = factory
  .createApp()
  .post("/", allowed, ...dryRunnable, ...jsonBody(createBody), idempotent, async (c) => {
    const { name, platformId } = c.req.valid("json");
    const owner = ownerOf(c.var.actor, platformId);
    const { TOKEN_ENCRYPTION_KEY } = settingsOf(c.env);
    const advertiser = announce(c, await createAdvertiser(c.var.db, owner, name, TOKEN_ENCRYPTION_KEY));
    return c.json({ success: true, data: tagged(c, advertiser), message: "Advertiser created successfully" }, 201);
  })
  .get("/", allowed, query(listQuery), async (c) => {
    const { skip, take, ...filter } = c.req.valid("query");
    const found = await listAdvertisers(c.var.db, c.var.actor, filter, { skip, take });
    return c.json(listAnswer(found, { skip, take }));
  })
  .get("/:id", allowed, async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const found = await requireAdvertiser(c.var.db, c.var.actor, id, settingsOf(c.env).TOKEN_ENCRYPTION_KEY);
    return c.json({ success: true, data: tagged(c, withSecrets(c, found, resealAdvertisers)) });
  })
  .put("/:id", allowed, ...dryRunnable, ...jsonBody(updateBody, { readOnly: READ_ONLY }), ifMatch, async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const changed = await updateAdvertiser(c.var.db, c.var.actor, id, c.req.valid("json"));
    return c.json({
      success: true,
      data: tagged(c, announce(c, changed)),
      message: "Advertiser updated successfully",
    });
  })
  .patch("/:id/status", allowed, ...statusBody(OFFER_STATUSES, READ_ONLY, ownerField), ifMatch, flip)
  .post("/:id/conversion-secret", allowed, idempotentOnce, async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const { TOKEN_ENCRYPTION_KEY } = settingsOf(c.env);
    const rotated = announce(c, await rotateConversionSecret(c.var.db, c.var.actor, id, TOKEN_ENCRYPTION_KEY));
    return c.json({ success: true, data: tagged(c, rotated), message: "Conversion secret rotated successfully" }, 201);
  })
  .delete("/:id", allowed, ...dryRunnable, ifMatch, async (c) => {
    const id = pathId("Advertiser", c.req.param("id"));
    const archived = announce(c, await deleteAdvertiser(c.var.db, c.var.actor, id));
    return c.json({ success: true, message: `Advertiser ${howGone(c, archived)} successfully` });
  });
