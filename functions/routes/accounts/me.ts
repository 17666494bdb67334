import { whoIs } from "../../../db/accounts/who.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";

/** Answers `GET /api/v1/me`: whose credential this is, and what it may do. */
export const me = factory
  .createApp()
  .get("/", allow("owner"), async (c) => c.json({ success: true, data: await whoIs(c.var.db, c.var.actor) }));
