import * as z from "zod";
import { unlessKnown } from "../../../db/core/client.ts";
import { findReached, findRejects, listRejects, noteReplayed } from "../../../db/tracking/rejects.ts";
import { keepLetters, oldestLetters } from "../../events/dead-letters.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { ApiError } from "../../http/errors.ts";
import { factory } from "../../http/factory.ts";
import { pageQuery, text } from "../../http/input/fields.ts";
import { jsonBody, query } from "../../http/input/validate.ts";
import { idempotent } from "../../http/writes/idempotent.ts";

/** Limits how many messages are replayed together. */
const MAX_REPLAYED = 100;

const replayBody = () =>
  z.object({
    ids: z
      .array(text(), "must be a list of ids")
      .min(1, "must name one")
      .max(MAX_REPLAYED, `must name at most ${MAX_REPLAYED}`)
      .optional(),
  });

/**
 * Lists and replays messages that were not understood, under `/api/v1/rejects`: those of a publisher or platform, or
 * all for the administrator.
 */
export const rejects = factory
  .createApp()
  .get("/", allow("owner"), query(pageQuery), async (c) => {
    const page = c.req.valid("query");
    return c.json(listAnswer(await listRejects(c.var.db, c.var.actor, page), page));
  })
  .post("/replay", allow("owner"), ...jsonBody(replayBody), idempotent, async (c) => {
    const { ids } = c.req.valid("json");
    const kept = await unlessKnown(c.var.db, async () => {
      const found = await findRejects(c.var.db, c.var.actor, ids ?? null, MAX_REPLAYED);
      const unknown = (ids ?? []).filter((id) => !found.some((reject) => reject.id === id));
      if (unknown.length > 0) {
        throw new ApiError("NOT_FOUND", "No rejected messages have these ids; list them first", {
          details: { ids: unknown },
        });
      }
      // A message that is kept twice is still recorded once. So a request that is cut off before the note may be sent
      // again.
      await keepLetters(
        c.env,
        found.map(({ id, body }) => ({ id, text: body })),
      );
      return found.map(({ id }) => id);
    });
    const message = "The messages are tried again within a minute or so";
    return c.json({ success: true, data: { ids: await noteReplayed(c.var.db, kept ?? []) }, message });
  });

/**
 * Lists the oldest messages that failed too often and wait for the cron, at `/api/v1/dead-letters`: those of placements
 * within the caller's reach, or all for the administrator.
 */
export const deadLetters = factory.createApp().get("/", allow("owner"), query(pageQuery), async (c) => {
  const page = c.req.valid("query");
  const letters = await oldestLetters(c.env);
  const named = letters.flatMap(({ placementId }) => placementId ?? []);
  const reached = await findReached(c.var.db, c.var.actor, [...new Set(named)]);
  const own = letters.filter(({ placementId }) =>
    placementId === null ? c.var.actor.kind === "admin" : reached.has(placementId),
  );
  const rows = own.slice(page.skip, page.skip + page.take);
  return c.json(listAnswer({ rows, total: own.length }, page));
});
