import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { connect } from "../../../db/core/client.ts";
import { exportOffers } from "../../../db/demand/transfer/export.ts";
import { importOffers } from "../../../db/demand/transfer/import.ts";
import type { RowResult } from "../../../db/demand/transfer/rows.ts";
import { OFFER_STATUSES } from "../../../db/schema/values.ts";
import { giveWay } from "../../core/calls/give-way.ts";
import { CsvError } from "../../core/csv.ts";
import { isDeeper } from "../../core/json-depth.ts";
import { MAX_IMPORT_BYTES, MAX_TRANSFERRED, MOST_LEVELS } from "../../core/transfer-limits.ts";
import { settingsOf } from "../../env.ts";
import { announce } from "../../documents/publish.ts";
import { asksFor } from "../../http/answers/accept.ts";
import { allow } from "../../http/credentials/auth.ts";
import { csvHeaders } from "../../http/answers/csv.ts";
import { ApiError, invalidInput } from "../../http/errors.ts";
import { factory } from "../../http/factory.ts";
import { inPieces } from "../../http/answers/pieces.ts";
import { flagParameter, oneOf, page, text, wholeParameter } from "../../http/input/fields.ts";
import { pathId } from "../../http/input/ids.ts";
import { declaring } from "../../http/declared.ts";
import { notUtf8, readText } from "../../http/input/utf8.ts";
import { query } from "../../http/input/validate.ts";
import { dry, dryRun } from "../../http/writes/dry-run.ts";
import { idempotent } from "../../http/writes/idempotent.ts";
import { creativeAnswer } from "./creative-body.ts";
import { answerOf } from "./offer-body.ts";
import { readCsv, writeCsv, type Sent } from "./transfer-csv.ts";
import { readRows, refusedRow } from "./transfer-rows.ts";

/** Limits how long an import waits for the database, in milliseconds: a thousand rows may take longer than one change. */
const LIMIT_MS = 30_000;

const limit = bodyLimit({
  maxSize: MAX_IMPORT_BYTES,
  onError: () => {
    throw new ApiError("PAYLOAD_TOO_LARGE", "The request body is larger than 4 MB; send fewer rows at a time");
  },
});

const parsed = (line: string): Sent => {
  if (isDeeper(line, MOST_LEVELS)) return { problem: `is nested deeper than ${MOST_LEVELS} levels` };
  try {
    return { value: JSON.parse(line) as unknown };
  } catch {
    return { problem: "is not valid JSON" };
  }
};

/** Reads at most so many rows of a body: whoever sends millions would keep everybody else waiting. */
type Read = (body: string, most: number) => Sent[];

const readLines: Read = (body, most) => {
  const rows: Sent[] = [];
  for (let at = body.startsWith("\uFEFF") ? 1 : 0; at < body.length && rows.length < most;) {
    const found = body.indexOf("\n", at);
    const end = found === -1 ? body.length : found;
    const line = body.slice(at, end);
    if (line.trim() !== "") rows.push(parsed(line));
    at = end + 1;
  }
  return rows;
};

const readJson: Read = (body, most) => {
  const sent = parsed(body);
  if ("problem" in sent) throw invalidInput([`body: ${sent.problem}`]);
  return Array.isArray(sent.value) ? sent.value.slice(0, most).map((value: unknown) => ({ value })) : [sent];
};

/** Lists the forms in which offers may be sent, by their content types. */
const FORMS: [type: RegExp, read: Read][] = [
  [/^(?:application\/(?:x-)?ndjson|application\/jsonl)\s*(?:;|$)/i, readLines],
  [/^application\/json\s*(?:;|$)/i, readJson],
  [/^text\/csv\s*(?:;|$)/i, readCsv],
];

/** Reads the rows of an import, and leaves them as `rows`. */
const takeRows = declaring(
  { part: "json" },
  createMiddleware<{ Variables: { rows: Sent[] } }>(async (c, next) => {
    const form = FORMS.find(([type]) => type.test(c.req.header("content-type") ?? ""));
    if (!form) {
      const types = "application/x-ndjson, application/json or text/csv";
      throw new ApiError("UNSUPPORTED_MEDIA_TYPE", `Send offers as ${types}, and name the type in Content-Type`);
    }
    let rows: Sent[] = [];
    try {
      rows = form[1](await readText(c, notUtf8), MAX_TRANSFERRED + 1);
    } catch (error) {
      throw error instanceof CsvError ? invalidInput([`body: ${error.message}`]) : error;
    }
    if (rows.length === 0) throw invalidInput(["body: has no rows"]);
    if (rows.length > MAX_TRANSFERRED)
      throw invalidInput([`body: has more than ${MAX_TRANSFERRED} rows; send fewer at a time`]);
    c.set("rows", rows);
    await next();
  }),
);

const importQuery = () => z.object({ ...dryRun(), atomic: flagParameter(), copyTo: text().optional() });

const exportQuery = () =>
  z.object({
    skip: page().skip,
    take: wholeParameter(1, MAX_TRANSFERRED).default(MAX_TRANSFERRED),
    status: oneOf(OFFER_STATUSES).optional(),
    advertiserId: text().optional(),
    platformId: text().optional(),
    search: text().optional(),
  });

/** Returns the result of a row in the form of answers. */
const resultOf = (result: RowResult) =>
  "refusal" in result
    ? { row: result.nr, status: "refused", id: null, error: refusedRow(result.nr, result.refusal).refusal }
    : { row: result.nr, status: result.status, id: result.id };

const counted = (results: readonly { status: string }[], status: string): number =>
  results.filter((result) => result.status === status).length;

/** Returns an offer in the form of exports: that of answers, without the usage of its caps, but with its creatives. */
const rowOf = ({ creatives, ...offer }: Awaited<ReturnType<typeof exportOffers>>[number]) => {
  const { usage: _, createdAt, updatedAt, ...rest } = answerOf(offer);
  return { ...rest, creatives: creatives.map(creativeAnswer), createdAt, updatedAt };
};

/** Imports and exports offers, under `/api/v1/offers`. */
export const transfer = factory
  .createApp()
  .post("/import", allow("manager"), query(importQuery), dry, limit, takeRows, idempotent, async (c) => {
    const { atomic, copyTo } = c.req.valid("query");
    const isAtomic = atomic === "true";
    const owner = copyTo === undefined ? undefined : pathId("Advertiser", copyTo);
    const read = await readRows(c.var.rows, owner, giveWay);
    const malformed = read.filter((row) => "refusal" in row);
    const rows = read.flatMap((row) => ("refusal" in row ? [] : [row]));
    const isStopped = isAtomic && malformed.length > 0;
    const db = connect(settingsOf(c.env).DATABASE_URL, LIMIT_MS, c.var.writing);
    const judged = rows.length === 0 ? [] : announce(c, await importOffers(db, c.var.actor, rows, isAtomic, isStopped));
    const told = new Map([...judged, ...malformed].map((result) => [result.nr, resultOf(result)]));
    const results = read.map((_, i) => told.get(i + 1) ?? { row: i + 1, status: "skipped", id: null });
    const refused = counted(results, "refused");
    const data = { created: counted(results, "created"), updated: counted(results, "updated"), refused, rows: results };
    const outcome =
      data.created + data.updated === 0
        ? `Nothing was imported, because ${refused} of ${results.length} rows are refused`
        : `Offers imported: ${data.created} created, ${data.updated} changed, ${refused} refused`;
    const message = `${outcome}; data.rows says what became of each`;
    return c.json({ success: true, data, message });
  })
  .get("/export", allow("manager"), query(exportQuery), async (c) => {
    const { skip, take, ...filter } = c.req.valid("query");
    const found = await exportOffers(c.var.db, c.var.actor, filter, { skip, take });
    // Offers are written while they are sent, so that a thousand long ones are not in memory twice.
    const offers = found.values().map(rowOf);
    if (asksFor(c, "text/csv", "application/json", "application/x-ndjson")) {
      return c.body(inPieces(writeCsv(offers)), 200, csvHeaders("offers"));
    }
    const lines = offers.map((offer) => `${JSON.stringify(offer)}\n`);
    return c.body(inPieces(lines), 200, {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": 'attachment; filename="offers.ndjson"',
    });
  });
