import * as z from "zod";
import { flag, oneOf, text } from "./fields.ts";
import { jsonBody } from "./validate.ts";

const MAX_REASON = 2000;
const reason = () => text(MAX_REASON, 0).optional();

/** The body of a status change. */
export const statusBody = <const Statuses extends readonly [string, ...string[]]>(statuses: Statuses) =>
  jsonBody(() => z.object({ status: oneOf(statuses), reason: reason() }), {
    field: "status",
    expectedType: statuses.join(" | "),
  });

/** The body of an ads switch. */
export const adsBody = () =>
  jsonBody(() => z.object({ adsEnabled: flag(), reason: reason() }), { field: "adsEnabled", expectedType: "boolean" });
