import type { Context } from "hono";
import { connect } from "../../../db/core/client.ts";
import { readReport, type ReportRow } from "../../../db/tracking/reports.ts";
import { sharedAnswer } from "../../core/calls/shared-answer.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";
import { ApiError } from "../../http/errors.ts";
import { factory, type AppEnv } from "../../http/factory.ts";
import { noStore } from "../../http/headers.ts";
import { assetOf, page } from "./assets.ts";

/** Limits how often an isolate asks what the demo store's placement has counted, in milliseconds. */
const FIGURES_MS = 1_000;

/** Limits how long these figures are waited for, in milliseconds. */
const LIMIT_MS = 10_000;

/**
 * Returns the id of the placement that the demo store shows. The demo network is seeded by `npm start`, and nowhere
 * else.
 *
 * @throws {ApiError} NOT_FOUND where it was not seeded
 */
export const demoPlacement = async (c: Context<AppEnv>): Promise<string> => {
  const demo = await assetOf(c, "/ui/demo.json");
  const { placementId } = await demo.json<{ placementId: string }>();
  const { placement } = await readDocuments(c.env, c.executionCtx, { placement: documentKeys.placement(placementId) });
  if (!placement) throw new ApiError("NOT_FOUND", "This service has no demo network");
  return placementId;
};

type Figures = Pick<ReportRow, "requests" | "impressions" | "viewable" | "clicks" | "closes">;

/** Returns what the demo store's placement has counted on all days, without money. */
const countFigures = async (c: Context<AppEnv>): Promise<Figures> => {
  const placementId = await demoPlacement(c);
  const ever = { from: "2000-01-01", to: "2999-12-31", groups: ["PLACEMENT"], breakdown: "NONE" } as const;
  const [row] = await readReport(connect(c.env.DATABASE_URL), { kind: "admin" }, { ...ever, placementId }, 1);
  const { requests = 0, impressions = 0, viewable = 0, clicks = 0, closes = 0 } = row ?? {};
  return { requests, impressions, viewable, clicks, closes };
};

const figures = sharedAnswer<Figures>(FIGURES_MS, LIMIT_MS);

/** Serves the demo store and the figures that it shows, since its page has no key to ask for a report. */
export const demoStore = factory
  .createApp()
  .get("/demo", async (c) => {
    await demoPlacement(c);
    return page(c, "/ui/demo.html");
  })
  .get("/demo/figures", noStore, async (c) =>
    c.json({ success: true, data: await figures(c.executionCtx, () => countFigures(c)) }),
  );
