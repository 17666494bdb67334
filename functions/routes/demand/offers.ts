import * as z from "zod";
import type { Manager } from "../../../db/accounts/actor.ts";
import type { ChangeRequest } from "../../../db/accounts/publishers/switching.ts";
import { listOffers } from "../../../db/demand/list-offers.ts";
import { deleteOffer } from "../../../db/demand/delete-offer.ts";
import { createOffer, requireOffer, updateOffer, type OwnedOffer } from "../../../db/demand/offers.ts";
import { requirePlanned } from "../../../db/demand/caps/paces.ts";
import { withValue } from "../../../db/documents/outdate.ts";
import { OFFER_STATUSES, type OfferStatus } from "../../../db/schema/values.ts";
import { planOf } from "../../decision/pacing/plan.ts";
import { factory } from "../../http/factory.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { include, oneOf, page, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { statusBody, switching } from "../lifecycle.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { dryRunnable } from "../../http/writes/dry-run.ts";
import { idempotent } from "../../http/writes/idempotent.ts";
import { howGone, ifMatch, tagged } from "../../http/writes/tags.ts";
import { announce } from "../../documents/publish.ts";
import { answerOf, changeOf, inputOf, offerBody, offerChange, ownerField, READ_ONLY } from "./offer-body.ts";

const createBody = () => offerBody().extend({ advertiserId: text() });
const listQuery = () =>
  z.object({
    ...page(),
    status: oneOf(OFFER_STATUSES).optional(),
    advertiserId: text().optional(),
    platformId: text().optional(),
    search: text().optional(),
    include: include(),
  });
const oneQuery = () => z.object({ include: include() });

/** Returns an offer in the form of answers, with its advertiser if that is asked for. */
const related = (offer: OwnedOffer, included: "relations" | undefined) => ({
  ...answerOf(offer),
  ...(included && { advertiser: offer.advertiser }),
});

const flip = switching(
  "Offer",
  async (db, { actor, id, change }: ChangeRequest<Manager, { status: OfferStatus; advertiserId?: string }>) =>
    withValue(await updateOffer(db, actor, id, change), (offer) => ({ ...answerOf(offer), tag: offer.tag })),
);

/** Manages offers, under `/api/v1/offers`: those of a platform's advertisers, or all for the administrator. */
export const offers = factory
  .createApp()
  .post("/", allow("manager"), ...dryRunnable, ...jsonBody(createBody), idempotent, async (c) => {
    const { advertiserId, ...body } = c.req.valid("json");
    const offer = announce(c, await createOffer(c.var.db, c.var.actor, advertiserId, inputOf(body)));
    return c.json({ success: true, data: answerOf(tagged(c, offer)), message: "Offer created successfully" }, 201);
  })
  .get("/", allow("manager"), query(listQuery), async (c) => {
    const { skip, take, include: included, ...filter } = c.req.valid("query");
    const { rows, total } = await listOffers(c.var.db, c.var.actor, filter, { skip, take });
    return c.json(listAnswer({ rows: rows.map((offer) => related(offer, included)), total }, { skip, take }));
  })
  .get("/:id", allow("manager"), query(oneQuery), async (c) => {
    const id = pathId("Offer", c.req.param("id"));
    const offer = await requireOffer(c.var.db, c.var.actor, id);
    return c.json({ success: true, data: related(tagged(c, offer), c.req.valid("query").include) });
  })
  .get("/:id/pacing", allow("manager"), async (c) => {
    const id = pathId("Offer", c.req.param("id"));
    return c.json({ success: true, data: planOf(await requirePlanned(c.var.db, c.var.actor, id)) });
  })
  .put(
    "/:id",
    allow("manager"),
    ...dryRunnable,
    ...jsonBody(offerChange, { readOnly: READ_ONLY }),
    ifMatch,
    async (c) => {
      const change = changeOf(c.req.valid("json"));
      const offer = announce(c, await updateOffer(c.var.db, c.var.actor, c.req.param("id"), change));
      return c.json({ success: true, data: answerOf(tagged(c, offer)), message: "Offer updated successfully" });
    },
  )
  .patch("/:id/status", allow("manager"), ...statusBody(OFFER_STATUSES, READ_ONLY, ownerField), ifMatch, flip)
  .delete("/:id", allow("manager"), ...dryRunnable, ifMatch, async (c) => {
    const id = pathId("Offer", c.req.param("id"));
    const archived = announce(c, await deleteOffer(c.var.db, c.var.actor, id));
    return c.json({ success: true, message: `Offer ${howGone(c, archived)} successfully` });
  });
