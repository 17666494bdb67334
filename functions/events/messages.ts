import * as z from "zod";
import type { Hit } from "../../db/tracking/hits.ts";
import type { RequestFlush } from "../../db/tracking/requests.ts";
import { isId, type Entity } from "../../db/core/ids.ts";
import { MOST_OFFERS } from "../../db/documents/candidates/room.ts";
import { MOST_CREATIVES } from "../../db/schema/creatives.ts";
import { CLOSINGS, EVENT_KINDS, UNCOUNTED_REASONS } from "../../db/schema/values.ts";
import { once } from "../core/calls/once.ts";
import { PARTS } from "../decision/arms.ts";
import { memberOf } from "../core/objects.ts";

/** Describes what the events queue carries: a hit on a tracking URL, or an isolate's ad request counts. */
export type Message = { type: "hit"; hit: Hit } | { type: "requests"; flush: RequestFlush };

const id = (entity: Entity) => z.string().refine((value) => isId(entity, value));
const count = () => z.int().min(0);
const time = () => z.int().min(0).max(8_640_000_000_000_000);
const country = () => z.string().regex(/^[A-Z0-9]{2}$/);
const arm = () => z.string().regex(/^[0-9A-Za-z]$/);
const part = () =>
  z
    .int()
    .min(0)
    .max(PARTS - 1);
const partName = () => z.string().refine((name) => /^(?:0|[1-9]\d?)$/.test(name) && Number(name) < PARTS);
const fact = () => z.string().max(20).nullable();
const hash = () => z.string().max(64).nullable();

const hitSchema = once(() =>
  z.object({
    hit: z.object({
      id: id("event"),
      kind: z.enum(EVENT_KINDS),
      reason: z.enum(UNCOUNTED_REASONS).nullable(),
      issuedAt: time(),
      occurredAt: time(),
      decisionId: id("decision"),
      placementId: id("placement"),
      offerId: id("offer"),
      revision: z.int().min(1),
      // Messages of the previous version have none.
      creative: z.int().min(0).max(MOST_CREATIVES).optional(),
      place: z
        .int()
        .min(0)
        .max(MOST_OFFERS - 1),
      arm: arm(),
      // Messages of the previous version have none.
      part: part().nullish(),
      country: country(),
      sessionHash: hash(),
      emailHash: hash(),
      addressHash: hash(),
      // Messages of the previous version have none.
      closing: z.enum(CLOSINGS).nullish(),
    }),
  }),
);

const requestsSchema = once(() =>
  z.object({
    flush: z.object({
      id: id("event"),
      rows: z.array(
        z.object({
          hour: time(),
          placementId: id("placement"),
          country: country(),
          arm: arm(),
          requests: count(),
          fills: count(),
          parts: z.record(partName(), count()).optional(),
          reasons: z.record(z.string().regex(/^[a-z_]{1,40}$/), count()),
        }),
      ),
      facts: z.array(
        z.object({
          hour: time(),
          placementId: id("placement"),
          country: country(),
          language: fact(),
          currency: fact(),
          amount: z.number().min(0).nullable(),
          paymentType: fact(),
          count: z.int().min(0).max(MOST_OFFERS),
        }),
      ),
    }),
  }),
);

type Reading = { message: Message } | { reason: string };

const check = <T>(schema: z.ZodType<T>, body: unknown, messageOf: (read: T) => Message): Reading => {
  const { success, data, error } = schema.safeParse(body);
  if (success) return { message: messageOf(data) };
  return { reason: error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
};

/**
 * Reads the body of a queue message.
 *
 * @returns the message, or why the body is not one
 */
export const parseMessage = (body: unknown): Reading => {
  const type = typeof body === "object" && body !== null && "type" in body ? body.type : undefined;
  if (type === "hit") return check(hitSchema(), body, ({ hit }) => ({ type, hit }));
  if (type === "requests") return check(requestsSchema(), body, ({ flush }) => ({ type, flush }));
  return { reason: "its type is not known" };
};

/** Holds the placement and the offer that a message names; null where it names none. */
type Names = { placementId: string | null; offerId: string | null };

/**
 * Finds what a body names, even if it is not understood, to tell whose message it is. Counts of requests belong to
 * nobody: they may be of several placements, and would show each the others' requests.
 */
export const namesOf = (body: unknown): Names => {
  const hit = memberOf(body, "hit");
  const [placementId, offerId] = [memberOf(hit, "placementId"), memberOf(hit, "offerId")];
  return {
    placementId: typeof placementId === "string" && isId("placement", placementId) ? placementId : null,
    offerId: typeof offerId === "string" && isId("offer", offerId) ? offerId : null,
  };
};

/** Writes a message's body as text: JSON, or a short description of a body that cannot be JSON. */
export const writeBody = (body: unknown): string => {
  try {
    return JSON.stringify(body) ?? String(body);
  } catch {
    return String(body);
  }
};

/** Reads the body from a text that {@link writeBody} made; a text that is not JSON stands for itself. */
export const readBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
