import { readOverview, type Counted, type Overview, type Ranked } from "../../../db/tracking/overview.ts";
import { allow } from "../../http/credentials/auth.ts";
import { factory } from "../../http/factory.ts";
import { MICROS } from "../../../db/core/money.ts";
import { accessOf, type MoneyAccess } from "./report-format.ts";

const money = (micros: number): number => Math.round(micros) / MICROS;

const countedAnswer = ({ revenueMicros, grossMicros, ...counts }: Counted, access: MoneyAccess) => ({
  ...counts,
  ...(access.revenueAccess && { revenue: money(revenueMicros) }),
  ...(access.grossAccess && { gross: money(grossMicros) }),
});

const rankedRow = ({ kind, id, name, requests, impressions, clicks, revenueMicros }: Ranked, access: MoneyAccess) => ({
  id,
  name,
  ...(kind === "placement" && { requests }),
  impressions,
  clicks,
  ...(access.revenueAccess && { revenue: money(revenueMicros) }),
});

const rankedAnswer = (ranked: readonly Ranked[], kind: Ranked["kind"], rank: "best" | "worst", access: MoneyAccess) =>
  ranked
    .filter((row) => row.kind === kind && row[rank] !== null)
    .sort((a, b) => (a[rank] ?? 0) - (b[rank] ?? 0))
    .map((row) => rankedRow(row, access));

const attentionAnswer = (noticed: Overview["noticed"], kind: Overview["noticed"][number]["kind"]) => {
  const found = noticed.filter((row) => row.kind === kind);
  return {
    total: found[0]?.total ?? 0,
    offers: found.map(({ id, name, share, endsAt }) => ({ id, name, share, endsAt })),
  };
};

/** Answers `GET /api/v1/overview`: how a caller's day is going, and what needs attention. */
export const overview = factory.createApp().get("/", allow("owner"), async (c) => {
  const { today, lastWeek, empty, ranked, noticed } = await readOverview(c.var.db, c.var.actor);
  const access = accessOf(c.var.actor);
  const ranks = (kind: Ranked["kind"]) => ({
    best: rankedAnswer(ranked, kind, "best", access),
    worst: rankedAnswer(ranked, kind, "worst", access),
  });
  return c.json({
    success: true,
    data: {
      today: countedAnswer(today, access),
      lastWeek: countedAnswer(lastWeek, access),
      emptyAnswers: empty,
      placements: ranks("placement"),
      offers: ranks("offer"),
      nearCap: attentionAnswer(noticed, "nearCap"),
      ended: attentionAnswer(noticed, "ended"),
      neverShown: attentionAnswer(noticed, "neverShown"),
      clickedLess: attentionAnswer(noticed, "clickedLess"),
    },
  });
});
