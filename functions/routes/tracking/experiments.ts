import * as z from "zod";
import { MICROS } from "../../../db/core/money.ts";
import { readExperiment, type ArmCounts, type Experiment } from "../../../db/tracking/experiments.ts";
import { armName, ARMS } from "../../decision/arms.ts";
import { gainOf } from "../../decision/experiment.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { dayRange } from "../../http/input/days.ts";
import { text } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";
import { gainWords } from "./experiment-words.ts";
import { accessOf, perThousand, share, type MoneyAccess } from "./report-format.ts";
import { checkRange } from "./reports.ts";

const experimentQuery = () => z.object({ ...dayRange(), publisherId: text().optional() });

const NOTHING = {
  requests: 0,
  fills: 0,
  impressions: 0,
  clicks: 0,
  conversions: 0,
  revenueMicros: 0,
  grossMicros: 0,
};

const armOf = (
  { arm, requests, fills, impressions, clicks, conversions, revenueMicros, grossMicros }: ArmCounts,
  { revenueAccess, grossAccess }: MoneyAccess,
) => ({
  arm: armName(arm),
  requests,
  fills,
  fillRate: share(fills, requests),
  impressions,
  clicks,
  ctr: share(clicks, impressions),
  conversions,
  conversionRate: share(conversions, clicks),
  ...(revenueAccess
    ? { revenue: revenueMicros / MICROS, revenuePerThousand: perThousand(revenueMicros, requests) }
    : {}),
  ...(grossAccess ? { gross: grossMicros / MICROS, grossPerThousand: perThousand(grossMicros, requests) } : {}),
});

const usd = (micros: number): number => Math.round(micros) / MICROS;

/** Returns what learning earns in a kind of money, per thousand requests and in all, in USD, and in words. */
const gainFor = (kind: "revenue" | "gross", { since, learned, parts }: Experiment["compared"]) => {
  const heldOut = parts.reduce((sum, { requests }) => sum + requests, 0);
  const gain = gainOf(parts.map((part) => ({ requests: part.requests, ...part[kind] })));
  const times = (requests: number) =>
    gain && {
      difference: usd(gain.difference * requests),
      low: usd(gain.low * requests),
      high: usd(gain.high * requests),
    };
  const [thousand, all] = [times(1_000), times(learned)];
  return { perThousand: thousand, inAll: all, summary: gainWords(kind, { since, learned, heldOut }, thousand, all) };
};

/**
 * Answers `GET /api/v1/experiments`: what each arm of sessions earned, and how much more learning earns than the order
 * from before it, with an interval that holds however often it is looked at.
 */
export const experiments = factory.createApp().get("/", allow("owner"), query(experimentQuery), async (c) => {
  const { dateStart, dateEnd, publisherId } = c.req.valid("query");
  checkRange({ dateStart, dateEnd });
  const wanted = { from: dateStart, to: dateEnd, publisherId, learned: ARMS.learned, holdout: ARMS.holdout };
  const { arms, compared } = await readExperiment(c.var.db, c.var.actor, wanted);
  const access = accessOf(c.var.actor);
  const counts = new Map(arms.map((counted) => [counted.arm, counted]));
  const data = {
    dateStart,
    dateEnd,
    arms: [ARMS.learned, ARMS.holdout, ARMS.random].map((arm) => armOf(counts.get(arm) ?? { arm, ...NOTHING }, access)),
    compared: {
      since: compared.since,
      learnedRequests: compared.learned,
      holdoutRequests: compared.parts.reduce((sum, { requests }) => sum + requests, 0),
    },
    ...(access.revenueAccess ? { revenue: gainFor("revenue", compared) } : {}),
    ...(access.grossAccess ? { gross: gainFor("gross", compared) } : {}),
  };
  return c.json({ success: true, data });
});
