import { factory } from "../../http/factory.ts";
import { limit } from "../../http/input/validate.ts";
import { admitAdvertiser, isReport } from "./conversion/credential.ts";
import { readConversions } from "./conversion/read.ts";
import { report } from "./conversion/report.ts";
import { reverse } from "./conversion/reversal.ts";

/** Answers `/conversion`, for advertisers' servers. */
export const conversion = factory
  .createApp()
  .get("/", admitAdvertiser, (c) => (isReport(c) ? report(c) : readConversions(c)))
  .post("/", admitAdvertiser, limit, report)
  .post("/reversal", admitAdvertiser, limit, reverse);
