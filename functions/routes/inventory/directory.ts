import * as z from "zod";
import { listPlacementDirectory, listPublisherDirectory, listSiteDirectory } from "../../../db/inventory/directory.ts";
import { PLACEMENT_STATUSES, PUBLISHER_STATUSES, SITE_STATUSES } from "../../../db/schema/values.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { flagParameter, oneOf, page, text } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";

const common = () => ({ ...page(), id: text().optional(), search: text().optional() });

const publisherQuery = () =>
  z.object({
    ...common(),
    status: oneOf(PUBLISHER_STATUSES).optional(),
    adsEnabled: flagParameter(),
    platformId: text().optional(),
  });

const siteQuery = () =>
  z.object({
    ...common(),
    status: oneOf(SITE_STATUSES).optional(),
    adsEnabled: flagParameter(),
    publisherId: text().optional(),
  });

const placementQuery = () =>
  z.object({
    ...common(),
    status: oneOf(PLACEMENT_STATUSES).optional(),
    isLiveMode: flagParameter(),
    siteId: text().optional(),
    publisherId: text().optional(),
  });

const flagOf = (given: "true" | "false" | undefined): boolean | undefined =>
  given === undefined ? undefined : given === "true";

/** Lists all publishers, sites and placements within a caller's reach, under `/api/v1/directory`. */
export const directory = factory
  .createApp()
  .get("/publishers", allow("owner"), query(publisherQuery), async (c) => {
    const { skip, take, adsEnabled, ...filter } = c.req.valid("query");
    const wanted = { ...filter, adsEnabled: flagOf(adsEnabled) };
    return c.json(
      listAnswer(await listPublisherDirectory(c.var.db, c.var.actor, wanted, { skip, take }), { skip, take }),
    );
  })
  .get("/sites", allow("owner"), query(siteQuery), async (c) => {
    const { skip, take, adsEnabled, ...filter } = c.req.valid("query");
    const wanted = { ...filter, adsEnabled: flagOf(adsEnabled) };
    return c.json(listAnswer(await listSiteDirectory(c.var.db, c.var.actor, wanted, { skip, take }), { skip, take }));
  })
  .get("/placements", allow("owner"), query(placementQuery), async (c) => {
    const { skip, take, isLiveMode, ...filter } = c.req.valid("query");
    const wanted = { ...filter, isLiveMode: flagOf(isLiveMode) };
    return c.json(
      listAnswer(await listPlacementDirectory(c.var.db, c.var.actor, wanted, { skip, take }), { skip, take }),
    );
  });
