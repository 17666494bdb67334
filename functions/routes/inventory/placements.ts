import * as z from "zod";
import type { PublisherActor } from "../../../db/accounts/actor.ts";
import type { ChangeRequest } from "../../../db/accounts/publishers/switching.ts";
import {
  createPlacement,
  deletePlacement,
  listPlacements,
  requirePlacement,
  updatePlacement,
  type Store,
} from "../../../db/inventory/placements.ts";
import { PAGE_TYPES, PLACEMENT_STATUSES, type PlacementStatus } from "../../../db/schema/values.ts";
import { newZone, requestZone } from "../../events/partner-zones.ts";
import { factory } from "../../http/factory.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { flag, integer, oneOf, page, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { MAX_HOST, webUrl } from "../../http/input/urls.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { dryRunnable } from "../../http/writes/dry-run.ts";
import { idempotent } from "../../http/writes/idempotent.ts";
import { ifMatch, tagged } from "../../http/writes/tags.ts";
import { announce } from "../../documents/publish.ts";
import { statusBody, switching } from "../lifecycle.ts";
import { placementData } from "./placement-data.ts";

const LAST_TEMPLATE = 21;

const placementFields = () => ({
  name: text(),
  pageType: oneOf(PAGE_TYPES),
  isLiveMode: flag().optional(),
  template: integer(1, LAST_TEMPLATE).optional(),
  data: placementData().optional(),
});

const storeUrl = () =>
  webUrl().refine(
    (url) => new URL(url).hostname.length <= MAX_HOST,
    `must have a host of at most ${MAX_HOST} characters`,
  );

/** Checks a new placement, which names its site in one of two ways. */
const createBody = () =>
  z
    .object({
      ...placementFields(),
      siteId: text().optional(),
      storeName: text().optional(),
      storeUrl: storeUrl().optional(),
    })
    .superRefine((body, context) => {
      const problem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
      const store = body.storeName !== undefined || body.storeUrl !== undefined;
      if (body.siteId !== undefined && store) problem("siteId", "must not come together with storeName and storeUrl");
      if (body.siteId === undefined && !store) problem("siteId", "is required, or else storeName and storeUrl");
      if (store && body.storeName === undefined) problem("storeName", "is required with storeUrl");
      if (store && body.storeUrl === undefined) problem("storeUrl", "is required with storeName");
    });

/** Checks the site of a placement, if a change names it. */
const ownerField = () => ({ siteId: text().optional() });

/** Lists the members of a placement that a change may send back as they were read. */
const READ_ONLY = ["id", "createdAt", "updatedAt"];

const updateBody = () =>
  z.object({ ...placementFields(), status: oneOf(PLACEMENT_STATUSES), ...ownerField() }).partial();

const listQuery = () =>
  z.object({
    ...page(),
    siteId: text().optional(),
    status: oneOf(PLACEMENT_STATUSES).optional(),
  });

type CreateBody = z.output<ReturnType<typeof createBody>>;

const storeOf = (env: Env, { siteId, storeName = "", storeUrl: address = "" }: CreateBody): Store =>
  siteId === undefined
    ? { storeName, storeDomain: new URL(address).hostname, zone: newZone(env) }
    : { siteId: pathId("Site", siteId) };

const flip = switching(
  "Placement",
  (db, { actor, id, change }: ChangeRequest<PublisherActor, { status: PlacementStatus; siteId?: string }>) =>
    updatePlacement(db, actor.publisherId, id, change),
);

/** Manages ad units, under `/api/placements`. */
export const placements = factory
  .createApp()
  .post("/", allow("publisher"), ...dryRunnable, ...jsonBody(createBody), idempotent, async (c) => {
    const body = c.req.valid("json");
    const store = storeOf(c.env, body);
    const made = await createPlacement(c.var.db, c.var.actor.publisherId, store, body);
    const { placement, newSite } = announce(c, made);
    requestZone(c, newSite, "zone" in store ? store.zone : undefined);
    return c.json({ success: true, data: tagged(c, placement), message: "Placement created successfully" }, 201);
  })
  .get("/", allow("publisher"), query(listQuery), async (c) => {
    const { siteId, status, ...part } = c.req.valid("query");
    const filter = { siteId: siteId === undefined ? undefined : pathId("Site", siteId), status };
    return c.json(listAnswer(await listPlacements(c.var.db, c.var.actor.publisherId, filter, part), part));
  })
  .get("/:id", allow("publisher"), async (c) => {
    const id = pathId("Placement", c.req.param("id"));
    const placement = await requirePlacement(c.var.db, c.var.actor.publisherId, id);
    return c.json({ success: true, data: tagged(c, placement) });
  })
  .put(
    "/:id",
    allow("publisher"),
    ...dryRunnable,
    ...jsonBody(updateBody, { readOnly: READ_ONLY }),
    ifMatch,
    async (c) => {
      const id = pathId("Placement", c.req.param("id"));
      const changed = await updatePlacement(c.var.db, c.var.actor.publisherId, id, c.req.valid("json"));
      return c.json({
        success: true,
        data: tagged(c, announce(c, changed)),
        message: "Placement updated successfully",
      });
    },
  )
  .patch("/:id/status", allow("publisher"), ...statusBody(PLACEMENT_STATUSES, READ_ONLY, ownerField), ifMatch, flip)
  .delete("/:id", allow("publisher"), ...dryRunnable, ifMatch, async (c) => {
    const id = pathId("Placement", c.req.param("id"));
    announce(c, await deletePlacement(c.var.db, c.var.actor.publisherId, id));
    return c.json({ success: true, message: "Placement deleted successfully" });
  });
