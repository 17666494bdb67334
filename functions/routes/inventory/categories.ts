import * as z from "zod";
import { listCategories } from "../../../db/inventory/list-categories.ts";
import { listAnswer } from "../../http/answers/list.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { page, text } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";

const listQuery = () => z.object({ ...page(), search: text().optional() });

/** Answers `GET /api/v1/categories`: what a site's `categoryName` and an offer's `targeting.categories` accept. */
export const categories = factory.createApp().get("/", allow("owner"), query(listQuery), async (c) => {
  const { search, ...part } = c.req.valid("query");
  return c.json(listAnswer(await listCategories(c.var.db, search, part), part));
});
