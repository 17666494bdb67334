import * as z from "zod";
import { issueToken, revokeToken, rotateToken, updateToken } from "../../../db/accounts/credentials/api-tokens.ts";
import { requireToken } from "../../../db/accounts/credentials/read-tokens.ts";
import {
  issuePublicKey,
  listPublicKeys,
  revokePublicKey,
  rotatePublicKey,
} from "../../../db/accounts/credentials/public-keys.ts";
import { NotFoundError } from "../../../db/core/errors.ts";
import { isKey } from "../../../db/core/secrets/secrets.ts";
import { TOKEN_ACCESSES } from "../../../db/schema/values.ts";
import { settingsOf } from "../../env.ts";
import { announce } from "../../documents/publish.ts";
import { allow, reachPublisher } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { flag, oneOf, rotationBody, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { idempotencyKey, idempotent, idempotentOnce } from "../../http/writes/idempotent.ts";
import { ifMatch, tagged } from "../../http/writes/tags.ts";

const rights = () => ({
  access: oneOf(TOKEN_ACCESSES).optional(),
  revenueAccess: flag().optional(),
  grossAccess: flag().optional(),
});
const tokenBody = () => z.object({ name: text(), ...rights() });
const accessBody = () => z.object({ name: text().optional(), ...rights() });

/** Lists the members of a token that a change may send back as they were read. */
const READ_ONLY = ["id", "bearer", "createdAt", "expiresAt", "lastUsedOn"];

/** Takes a public key from a path; a malformed one is answered like an unknown one. */
const pathKey = (key: string): string => {
  if (!isKey("public", key)) throw new NotFoundError("PublicKey", key);
  return key;
};

/** Manages a publisher's private tokens and public keys, under `/api/v1/publishers/:id`. */
export const keys = factory
  .createApp()
  .post(
    "/:id/api-tokens",
    allow("owner"),
    ...jsonBody(tokenBody),
    idempotencyKey,
    reachPublisher,
    idempotent,
    async (c) => {
      const { db, publisherId, actor } = c.var;
      const issued = await issueToken(
        db,
        publisherId,
        c.req.valid("json"),
        actor,
        settingsOf(c.env).TOKEN_ENCRYPTION_KEY,
      );
      return c.json({ success: true, data: tagged(c, announce(c, issued)), message: "Token issued successfully" }, 201);
    },
  )
  .get("/:id/api-tokens/:tokenId", allow("owner"), reachPublisher, async (c) => {
    const id = pathId("Token", c.req.param("tokenId"));
    return c.json({ success: true, data: tagged(c, await requireToken(c.var.db, c.var.publisherId, id)) });
  })
  .put(
    "/:id/api-tokens/:tokenId",
    allow("owner"),
    ...jsonBody(tokenBody, { readOnly: READ_ONLY }),
    ifMatch,
    reachPublisher,
    async (c) => {
      const id = pathId("Token", c.req.param("tokenId"));
      const { name, ...same } = c.req.valid("json");
      const token = tagged(c, announce(c, await updateToken(c.var.db, c.var.publisherId, id, { name }, same)));
      return c.json({ success: true, data: token, message: "Token updated successfully" });
    },
  )
  .patch(
    "/:id/api-tokens/:tokenId/access",
    allow("manager"),
    ...jsonBody(accessBody, { readOnly: READ_ONLY }),
    ifMatch,
    reachPublisher,
    async (c) => {
      const id = pathId("Token", c.req.param("tokenId"));
      const { name, access, ...change } = c.req.valid("json");
      const changed = await updateToken(c.var.db, c.var.publisherId, id, change, { name, access });
      const token = tagged(c, announce(c, changed));
      return c.json({ success: true, data: token, message: "Token access updated successfully" });
    },
  )
  .post(
    "/:id/api-tokens/:tokenId/rotate",
    allow("owner"),
    ...jsonBody(rotationBody),
    idempotencyKey,
    reachPublisher,
    idempotentOnce,
    async (c) => {
      const id = pathId("Token", c.req.param("tokenId"));
      const { overlapSeconds } = c.req.valid("json");
      const rotated = await rotateToken(
        c.var.db,
        c.var.publisherId,
        id,
        overlapSeconds,
        c.var.actor,
        settingsOf(c.env).TOKEN_ENCRYPTION_KEY,
      );
      return c.json(
        { success: true, data: tagged(c, announce(c, rotated)), message: "Token rotated successfully" },
        201,
      );
    },
  )
  .delete("/:id/api-tokens/:tokenId", allow("owner"), ifMatch, reachPublisher, async (c) => {
    announce(c, await revokeToken(c.var.db, c.var.publisherId, pathId("Token", c.req.param("tokenId"))));
    return c.json({ success: true, message: "Token revoked successfully" });
  })
  .get("/:id/public-keys", allow("owner"), reachPublisher, async (c) =>
    c.json({ success: true, data: await listPublicKeys(c.var.db, c.var.publisherId) }),
  )
  .post("/:id/public-keys", allow("owner"), idempotencyKey, reachPublisher, idempotent, async (c) => {
    const key = announce(c, await issuePublicKey(c.var.db, c.var.publisherId));
    return c.json({ success: true, data: key, message: "Public key issued successfully" }, 201);
  })
  .post(
    "/:id/public-keys/:key/rotate",
    allow("owner"),
    ...jsonBody(rotationBody),
    idempotencyKey,
    reachPublisher,
    idempotent,
    async (c) => {
      const key = pathKey(c.req.param("key"));
      const { overlapSeconds } = c.req.valid("json");
      const next = announce(c, await rotatePublicKey(c.var.db, c.var.publisherId, key, overlapSeconds));
      return c.json({ success: true, data: next, message: "Public key rotated successfully" }, 201);
    },
  )
  .delete("/:id/public-keys/:key", allow("owner"), reachPublisher, async (c) => {
    announce(c, await revokePublicKey(c.var.db, c.var.publisherId, pathKey(c.req.param("key"))));
    return c.json({ success: true, message: "Public key revoked successfully" });
  });
