import type { Context } from "hono";
import { factory, type AppEnv } from "../../http/factory.ts";
import { limit } from "../../http/input/validate.ts";
import { readConversions } from "./conversion/read.ts";
import { report } from "./conversion/report.ts";
import { reverse } from "./conversion/reversal.ts";

/** Lists what only a report has: a URL with one of them is a report, also with an empty one. */
const OF_REPORTS = ["clickId", "amount", "currency"];

const isReport = (c: Context<AppEnv>): boolean => OF_REPORTS.some((name) => c.req.query(name) !== undefined);

/** Answers `/conversion`, for advertisers' servers. */
export const conversion = factory
  .createApp()
  .use(limit)
  .get("/", (c) => (isReport(c) ? report(c) : readConversions(c)))
  .post("/", report)
  .post("/reversal", reverse);
