import * as z from "zod";
import { idSuffix } from "../../../db/core/ids.ts";
import { demo } from "../../../db/demo/network.ts";
import { reportFields } from "../../routes/tracking/conversion/report.ts";
import { listFields, transactionFields } from "../../routes/tracking/conversion/read.ts";
import { reversalFields } from "../../routes/tracking/conversion/reversal.ts";
import { found, listOf, object } from "../schemas/common.ts";
import * as schemas from "../schemas/tracking.ts";
import { json, table, type Operations } from "./operation.ts";

/** Describes reports and what was learned. */
export const REPORTS = {
  "GET /api/report": {
    id: "getReport",
    summary: "Get the counts and money of placements and offers",
    description: "More than 50,000 rows are refused; ask for a coarser report.",
    answers: { 200: table(found(z.array(schemas.reportRow))) },
  },
  "GET /api/v1/hits": {
    id: "getHits",
    summary: "Count the calls to offers' tracking URLs, and what became of them",
    description: "More than 50,000 rows are refused.",
    answers: { 200: table(found(z.array(schemas.hitsRow))) },
  },
  "GET /api/v1/overview": {
    id: "getOverview",
    summary: "Get how the day is going, and what needs attention",
    answers: { 200: json(found(schemas.overview)) },
  },
  "GET /api/v1/experiments": {
    id: "getExperiment",
    summary: "Compare what learning earns with what the order before learning earns",
    answers: { 200: json(found(schemas.experiment)) },
  },
} as const satisfies Operations;

/** Describes messages that were not understood or could not be stored. */
export const REJECTS = {
  "GET /api/v1/rejects": {
    id: "listRejects",
    summary: "List messages that the service did not understand",
    answers: { 200: json(listOf(schemas.reject)) },
  },
  "POST /api/v1/rejects/replay": {
    id: "replayRejects",
    summary: "Try rejected messages again",
    answers: {
      200: json(object({ success: z.literal(true), data: schemas.replayed, message: z.string() })),
    },
    errors: ["unknownRejects"],
    example: {},
  },
  "GET /api/v1/dead-letters": {
    id: "listDeadLetters",
    summary: "List messages that wait to be stored",
    answers: { 200: json(listOf(schemas.deadLetter)) },
  },
} as const satisfies Operations;

const clickId = `${idSuffix(demo.publisherId)}-${idSuffix(demo.advertisers.brindlecup)}`;
const pixel = "image/gif";
const forms = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
const reportErrors = ["invalidFields", "readOnly", "unknownClick", "otherReport", "clickExpired"] as const;
const message = { success: z.literal(true), data: schemas.reported, message: z.string() };

/** Describes conversions. */
export const CONVERSIONS = {
  "POST /conversion": {
    id: "reportConversion",
    summary: "Report that a click became a customer",
    description: "`transactionId` makes repeating a report harmless.",
    answers: {
      200: json(object(message), "The report was taken; `state` says how the transaction stands"),
      202: json(object(message), "The click has not arrived yet; the report waits for it"),
    },
    errors: reportErrors,
    body: reportFields,
    types: forms,
    example: { clickId, transactionId: "order-77", amount: 49.9, currency: "USD", test: true },
  },
  "GET /conversion": {
    id: "listConversions",
    summary: "List conversions, ask for one, or report one",
    description:
      "With `transactionId` alone it returns that conversion. With `clickId`, `amount` or `currency` it is a report like " +
      "`reportConversion`, for pixels, which get a GIF, and for servers that can only call a URL. Otherwise it is a list, of the " +
      "last 30 days unless days are named. A pixel key can only report, and without `test`.",
    answers: {
      200: {
        text: "A list, a conversion, or what became of a report",
        content: {
          "application/json": z.union([
            listOf(schemas.conversion).extend({ summary: z.array(schemas.conversionSum) }),
            found(schemas.conversion),
            object(message),
          ]),
          [pixel]: null,
        },
      },
      202: {
        text: "The click has not arrived yet; the report waits for it",
        content: { "application/json": object(message) },
      },
    },
    errors: [...reportErrors, "unknownTransaction"],
    query: () => listFields().extend(reportFields().extend(transactionFields().shape).partial().shape),
  },
  "POST /conversion/reversal": {
    id: "reverseConversion",
    summary: "Take a conversion back",
    description: "A reversal is final. Repeating it is harmless.",
    answers: {
      200: json(object({ success: z.literal(true), data: schemas.reversedConversion, message: z.string() })),
    },
    errors: ["invalidFields", "unknownTransaction"],
    body: reversalFields,
    types: forms,
    example: { transactionId: "order-77", reason: "The parcel came back", test: true },
  },
} as const satisfies Operations;
