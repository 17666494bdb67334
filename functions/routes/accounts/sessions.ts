import * as z from "zod";
import { eraseSubject, findErasable, rememberErasure, type Subject } from "../../../db/tracking/sessions.ts";
import { settingsOf, type Settings } from "../../env.ts";
import { forgetInDeadLetters } from "../../events/dead-letters.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { emailHash, sessionHash } from "../../core/keyed-hash.ts";
import { MAX_SESSION } from "../../core/customer-limits.ts";
import { customerEmail } from "../public/odata-query.ts";

const subjectBody = () =>
  z
    .object({ email: customerEmail().optional(), sessionId: text(MAX_SESSION).optional() })
    .refine((body) => (body.email === undefined) !== (body.sessionId === undefined), {
      path: ["email"],
      message: "or else sessionId is required, and only one of them",
    });

const subjectOf = (
  { SESSION_KEY, SESSION_KEY_BEFORE }: Settings,
  email: string | undefined,
  sessionId: string,
): Subject => {
  const keys = [...new Set([SESSION_KEY, SESSION_KEY_BEFORE || SESSION_KEY])];
  return email === undefined
    ? { by: "sessionId", hashes: keys.map((key) => sessionHash(key, sessionId)) }
    : { by: "email", hashes: keys.map((key) => emailHash(key, email)) };
};

/** Forgets a customer, who is named by e-mail (or its SHA-256) or session id: `DELETE /api/v1/publishers/:id/sessions`. */
export const sessions = factory
  .createApp()
  .delete("/:id/sessions", allow("owner"), ...jsonBody(subjectBody), async (c) => {
    const publisherId = pathId("Publisher", c.req.param("id"));
    const { email, sessionId = "" } = c.req.valid("json");
    const subject = subjectOf(settingsOf(c.env), email, sessionId);
    await rememberErasure(c.var.db, c.var.actor, publisherId, subject);
    const [deadLetters, erased] = await Promise.all([
      forgetInDeadLetters(c.env, subject.hashes, (ids) => findErasable(c.var.db, publisherId, ids)),
      eraseSubject(c.var.db, publisherId, subject),
    ]);
    return c.json({ success: true, data: { ...erased, deadLetters }, message: "Session data erased successfully" });
  });
