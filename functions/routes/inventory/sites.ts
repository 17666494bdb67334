import * as z from "zod";
import { listSiteEvents } from "../../../db/accounts/audit.ts";
import { switchSite } from "../../../db/accounts/publishers/switching.ts";
import { CATEGORY_NAME } from "../../../db/core/errors.ts";
import { AGE_DEMOGRAPHICS, GENDER_DEMOGRAPHICS } from "../../../db/schema/values.ts";
import { createSite, deleteSite, listSites, requireSite, updateSite } from "../../../db/inventory/sites.ts";
import { newZone, requestZone } from "../../events/partner-zones.ts";
import { factory } from "../../http/factory.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import {
  clearable,
  flag,
  flagParameter,
  include,
  integer,
  longText,
  number,
  oneOf,
  page,
  pageQuery,
  text,
} from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { MAX_HOST } from "../../http/input/urls.ts";
import { siteSwitches } from "../../http/credentials/rate-limit.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { dryRunnable } from "../../http/writes/dry-run.ts";
import { idempotent } from "../../http/writes/idempotent.ts";
import { ifMatch, tagged } from "../../http/writes/tags.ts";
import { announce } from "../../documents/publish.ts";
import { adsBody, statusBody, switching } from "../lifecycle.ts";

/** Lists the statuses that a caller may set; a site is `pending` until then. */
const SETTABLE_STATUSES = ["active", "inactive"] as const;

/** Makes the optional fields of a site. */
const siteFacts = () =>
  z.object({
    description: longText(),
    orderVolume: integer(),
    averageOrder: number(),
    ageDemographics: oneOf(AGE_DEMOGRAPHICS),
    genderDemographics: oneOf(GENDER_DEMOGRAPHICS),
    domain: text(MAX_HOST, 0),
    categoryName: z.string(),
  });

const withCategory = { enumerated: CATEGORY_NAME };

const createBody = () =>
  z.object({
    name: text(),
    ...siteFacts().partial().shape,
    status: oneOf(SETTABLE_STATUSES).optional(),
    createPartnerZone: flag().default(true),
  });
const updateBody = () =>
  z.object({ name: text(), ...clearable(siteFacts()).shape, status: oneOf(SETTABLE_STATUSES) }).partial();
const listQuery = () => z.object({ ...page(), include: include(), stats: flagParameter() });

const flip = switching("Site", switchSite);

/** Manages a publisher's own sites, under `/api/site`. */
export const sites = factory
  .createApp()
  .post("/", allow("publisher"), ...dryRunnable, ...jsonBody(createBody, withCategory), idempotent, async (c) => {
    const { createPartnerZone, ...input } = c.req.valid("json");
    const zone = createPartnerZone ? newZone(c.env) : undefined;
    const { site, isNew, newSite } = announce(c, await createSite(c.var.db, c.var.actor.publisherId, input, zone));
    requestZone(c, newSite, zone);
    return c.json({ success: true, data: tagged(c, site), message: "Site created successfully" }, isNew ? 201 : 200);
  })
  .get("/", allow("publisher"), query(listQuery), async (c) => {
    const { include: related, stats, ...part } = c.req.valid("query");
    const found = await listSites(c.var.db, c.var.actor.publisherId, part, {
      relations: related !== undefined,
      stats: stats === "true",
    });
    return c.json(listAnswer(found, part));
  })
  .get("/:id", allow("publisher"), async (c) => {
    const id = pathId("Site", c.req.param("id"));
    return c.json({ success: true, data: tagged(c, await requireSite(c.var.db, c.var.actor.publisherId, id)) });
  })
  .put("/:id", allow("publisher"), ...dryRunnable, ...jsonBody(updateBody, withCategory), ifMatch, async (c) => {
    const changed = await updateSite(c.var.db, c.var.actor.publisherId, c.req.param("id"), c.req.valid("json"));
    return c.json({ success: true, data: tagged(c, announce(c, changed)), message: "Site updated successfully" });
  })
  .patch(
    "/:id/status",
    allow("publisher", siteSwitches),
    ...dryRunnable,
    ...statusBody(SETTABLE_STATUSES),
    ifMatch,
    flip,
  )
  .patch("/:id/ads", allow("publisher", siteSwitches), ...dryRunnable, ...adsBody(), ifMatch, flip)
  .get("/:id/events", allow("owner"), query(pageQuery), async (c) => {
    const id = pathId("Site", c.req.param("id"));
    const part = c.req.valid("query");
    return c.json(listAnswer(await listSiteEvents(c.var.db, c.var.actor, id, part), part));
  })
  .delete("/:id", allow("publisher"), ...dryRunnable, ifMatch, async (c) => {
    const id = pathId("Site", c.req.param("id"));
    announce(c, await deleteSite(c.var.db, c.var.actor.publisherId, id));
    return c.json({ success: true, message: "Site deleted successfully" });
  });
