import * as z from "zod";
import { listAudit } from "../../../db/accounts/audit-log.ts";
import { AUDIT_ACTIONS, AUDITED_KINDS } from "../../../db/schema/values.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { moment, oneOf, page, text } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";

const listQuery = () =>
  z
    .object({
      ...page(),
      resource: oneOf(AUDITED_KINDS).optional(),
      id: text().optional(),
      action: oneOf(AUDIT_ACTIONS).optional(),
      publisherId: text().optional(),
      from: moment().optional(),
      to: moment().optional(),
    })
    .refine(({ from, to }) => !from || !to || from < to, { path: ["to"], message: "must be after from" });

/** Answers `GET /api/v1/audit`: every change of anything that a caller may know of. */
export const audit = factory.createApp().get("/", allow("owner"), query(listQuery), async (c) => {
  const { skip, take, ...filter } = c.req.valid("query");
  return c.json(listAnswer(await listAudit(c.var.db, c.var.actor, filter, { skip, take }), { skip, take }));
});
