import * as z from "zod";
import { NotFoundError } from "../../../db/core/errors.ts";
import {
  issuePublicKey,
  issueToken,
  listPublicKeys,
  requireToken,
  revokePublicKey,
  revokeToken,
  rotatePublicKey,
  rotateToken,
  updateToken,
} from "../../../db/accounts/keys.ts";
import { requireReach } from "../../../db/accounts/publishers.ts";
import { isKey } from "../../../db/core/secrets.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { flag, overlapSeconds, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { noStore } from "../../http/no-store.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { announceChanges } from "../../documents/changes.ts";
import { documentKeys } from "../../documents/read.ts";

const nameBody = () => z.object({ name: text() });
const accessBody = () => z.object({ revenueAccess: flag(), grossAccess: flag() }).partial();
const rotateBody = () => z.object({ overlapSeconds: overlapSeconds() });

/** A public key from a path; a malformed one is as unknown as any other. */
const pathKey = (key: string): string => {
  if (!isKey("public", key)) throw new NotFoundError("PublicKey", key);
  return key;
};

/** A publisher's private tokens and public keys, under `/api/v1/publishers/:id`. */
export const keys = factory
  .createApp()
  .use(noStore)
  .post("/:id/api-tokens", allow("anyone"), ...jsonBody(nameBody), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const token = await issueToken(db, id, c.req.valid("json").name, c.var.actor, c.env.TOKEN_ENCRYPTION_KEY);
    return c.json({ success: true, data: token, message: "Token issued successfully" }, 201);
  })
  .get("/:id/api-tokens/:tokenId", allow("anyone"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    return c.json({ success: true, data: await requireToken(db, id, pathId("Token", c.req.param("tokenId"))) });
  })
  .put("/:id/api-tokens/:tokenId", allow("anyone"), ...jsonBody(nameBody), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const token = await updateToken(db, id, pathId("Token", c.req.param("tokenId")), c.req.valid("json"));
    return c.json({ success: true, data: token, message: "Token updated successfully" });
  })
  .patch("/:id/api-tokens/:tokenId/access", allow("operator"), ...jsonBody(accessBody), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const token = await updateToken(db, id, pathId("Token", c.req.param("tokenId")), c.req.valid("json"));
    return c.json({ success: true, data: token, message: "Token access updated successfully" });
  })
  .post("/:id/api-tokens/:tokenId/rotate", allow("anyone"), ...jsonBody(rotateBody), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const old = pathId("Token", c.req.param("tokenId"));
    const token = await rotateToken(db, id, old, c.req.valid("json").overlapSeconds, c.env.TOKEN_ENCRYPTION_KEY);
    return c.json({ success: true, data: token, message: "Token rotated successfully" }, 201);
  })
  .delete("/:id/api-tokens/:tokenId", allow("anyone"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    await revokeToken(db, id, pathId("Token", c.req.param("tokenId")));
    return c.json({ success: true, message: "Token revoked successfully" });
  })
  .get("/:id/public-keys", allow("anyone"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    return c.json({ success: true, data: await listPublicKeys(db, id) });
  })
  .post("/:id/public-keys", allow("anyone"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    return c.json(
      { success: true, data: await issuePublicKey(db, id), message: "Public key issued successfully" },
      201,
    );
  })
  .post("/:id/public-keys/:key/rotate", allow("anyone"), ...jsonBody(rotateBody), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const key = pathKey(c.req.param("key"));
    const next = await rotatePublicKey(db, id, key, c.req.valid("json").overlapSeconds);
    announceChanges(c.env, c.executionCtx, [documentKeys.key(key)]);
    return c.json({ success: true, data: next, message: "Public key rotated successfully" }, 201);
  })
  .delete("/:id/public-keys/:key", allow("anyone"), async (c) => {
    const id = pathId("Publisher", c.req.param("id"));
    const { db } = c.var;
    await requireReach(db, c.var.actor, id);
    const key = pathKey(c.req.param("key"));
    await revokePublicKey(db, id, key);
    announceChanges(c.env, c.executionCtx, [documentKeys.key(key)]);
    return c.json({ success: true, message: "Public key revoked successfully" });
  });
