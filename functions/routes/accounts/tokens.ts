import * as z from "zod";
import { requireReach } from "../../../db/accounts/reach.ts";
import { listTokens } from "../../../db/accounts/credentials/read-tokens.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { page, text } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { query } from "../../http/input/validate.ts";

const listQuery = () => z.object({ ...page(), publisherId: text() });

/** Answers `GET /api/v1/api-tokens`: the tokens of one of a manager's publishers, without their bearers. */
export const tokens = factory.createApp().get("/", allow("manager"), query(listQuery), async (c) => {
  const { publisherId, ...part } = c.req.valid("query");
  const id = pathId("Publisher", publisherId);
  await requireReach(c.var.db, c.var.actor, id);
  return c.json(listAnswer(await listTokens(c.var.db, id, part), part));
});
