import { demo } from "../../../db/demo/network.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { newId } from "../../../db/core/ids.ts";
import { clickId } from "../../../functions/answer/destination.ts";
import type { Offer } from "../../../functions/answer/envelope.ts";
import { askOffers } from "../ask-offers.ts";
import type { Harness } from "../harness.ts";
import { makeWorld, type World } from "../routes/every-route.ts";
import { makeHit } from "../tracking/hits.ts";

/** Holds what valid requests are made from: one of everything, an offer that was served, and the result of a click. */
export type Scene = { world: World; served: Offer; clickId: string; transactionId: string };

/** Makes a scene of its own, in which a click on its offer became a transaction. */
export const makeScene = async (h: Harness): Promise<Scene> => {
  const asked = { publicKey: demo.publicKey, placementId: demo.placements.live, "at.country": "US" };
  const [world, { offers }] = await Promise.all([makeWorld(h), askOffers(h, asked)]);
  const [served] = offers;
  if (!served) throw new Error("nothing was served");
  const click = makeHit({ offerId: world.offer.id, placementId: world.placement.id });
  const transactionId = newId("event");
  const sale = { kind: "conversion" as const, transactionId, amountMicros: null, currency: null };
  await recordHits(h.db, [click, { ...click, ...sale, id: newId("event") }]);
  return { world, served, clickId: clickId(click), transactionId };
};
