import { connect } from "../../db/core/client.ts";
import { beginPacing, findPaced, setPaces, type PacedOffers, type SetPace } from "../../db/demand/caps/paces.ts";
import { addUpTraffic, makeCurves } from "../../db/demand/traffic.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import { CLOCK, curveOf } from "../decision/pacing/curve.ts";
import { paceOf } from "../decision/pacing/pace.ts";
import { publishDocuments } from "../documents/publish.ts";
import type { Duty, Reserve } from "../core/calls/lease.ts";
import { noteFailure } from "../core/log.ts";

/** Limits how many offers are paced at a time. */
const OFFERS = 1_000;

/** Limits how many curves are made at a time. */
const CURVES = 100;

/** Limits how often a run adds up traffic and makes curves, so that it always gets to pacing offers. */
const PREPARATIONS = 6;

/** Limits for how long a run begins such steps, in milliseconds: one that the driver gives up takes ten seconds. */
const PREPARING_MS = 11_000;

/** Is the greatest serial that an offer may have. */
const LAST_SERIAL = 2 ** 31 - 1;

const pacesOf = ({ now, offers, curves }: PacedOffers): SetPace[] => {
  const known = new Map(curves.map(({ key, ...traffic }) => [key, curveOf(traffic)]));
  return offers.flatMap((offer) => {
    const pace = paceOf(offer, known.get(offer.curve) ?? CLOCK, now);
    return pace ? [{ ...pace, serial: offer.serial }] : [];
  });
};

/**
 * Prepares something, in steps that tell whether there is more. Neither a failure nor a slow step keeps offers from
 * being paced by what was prepared before.
 */
const prepare = async (what: string, reserve: Reserve, step: () => Promise<boolean>): Promise<void> => {
  const until = Date.now() + PREPARING_MS;
  for (let i = 0, more = true; more && i < PREPARATIONS && Date.now() < until && reserve(1); i++) {
    try {
      more = await step();
    } catch (error) {
      noteFailure(what)(error);
    }
  }
};

/** Paces offers along the curves of their traffic, some at a time, and publishes what changed once, at the end. */
export const pace: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  let outdated: DocumentKey[] = [];
  // One of the two is for publishing the document.
  if (!reserve(2)) return;
  const start = await beginPacing(db, OFFERS);
  await prepare("adding up traffic", reserve, () => addUpTraffic(db));
  await prepare("making curves", reserve, async () => (await makeCurves(db, CURVES)).more);
  for (const { after: first, until } of [
    { after: start, until: LAST_SERIAL },
    { after: 0, until: start },
  ]) {
    for (let after: number | null = first < until ? first : null; after !== null && reserve(2);) {
      const found: PacedOffers = await findPaced(db, { after, until }, OFFERS);
      const paces = pacesOf(found);
      if (paces.length > 0) outdated = outdated.concat(await setPaces(db, paces));
      after = found.last;
    }
  }
  await publishDocuments(env, [...new Set(outdated)]);
};
