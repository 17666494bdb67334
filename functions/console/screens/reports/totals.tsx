import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Tiles } from "../../blocks/figures/tiles.tsx";
import { useChart } from "../../blocks/figures/use-chart.ts";
import { sumOf, type Figure } from "../../core/reports/figures.ts";
import type { ReportedRow } from "../../core/reports/report.ts";
import { wholePair } from "../../core/reports/period.ts";
import { Select } from "../../parts/fields/field.tsx";
import { Card } from "../../parts/page.tsx";

/** Shows the figures of a period as tiles, and how they differ from those of another. */
export const Totals = ({
  now,
  before,
  figures,
}: {
  now: readonly ReportedRow[] | null;
  before: readonly ReportedRow[] | null;
  figures: readonly Figure[];
}): JSX.Element => {
  const whole = now && before && wholePair(now, before, Date.now());
  const compared = whole && { now: sumOf(whole.now), before: sumOf(whole.before) };
  // The tile's own figure includes today, which is not compared: so it has to say which one is.
  const isPart = whole !== null && now !== null && whole.now.length > 0 && whole.now.length < now.length;
  return (
    <Tiles
      label="In all"
      figures={figures}
      of={now && sumOf(now)}
      compared={compared}
      lead={({ of, write }) => (compared && isPart ? `Whole days: ${write(of(compared.now))}` : "")}
      than={({ of, write }) => (compared ? `on ${write(of(compared.before))}` : "")}
    />
  );
};

/** Shows one figure over the days of a period, and of the one that it is compared with. */
export const Course = ({
  now,
  before,
  figures,
  chosen,
  onChoice,
}: {
  now: readonly ReportedRow[];
  /** Holds what each row is compared with; null if nothing is compared. */
  before: readonly (ReportedRow | undefined)[] | null;
  figures: readonly Figure[];
  chosen: string | undefined;
  onChoice: (key: string) => void;
}): JSX.Element | null => {
  const Chart = useChart();
  const usual = figures.some(({ key }) => key === "revenue") ? "revenue" : "impressions";
  const figure = figures.find(({ key }) => key === (chosen ?? usual)) ?? figures[0];
  const days = useMemo(() => now.map(({ date = "" }) => date), [now]);
  const lines = useMemo(() => {
    if (!figure) return [];
    const { text, of, write } = figure;
    const own = { text: before ? `${text}, this period` : text, values: now.map(of), write };
    return before
      ? [own, { text: `${text}, compared`, values: before.map((other) => (other ? of(other) : null)), write }]
      : [own];
  }, [now, before, figure]);
  if (!figure) return null;
  return (
    <Card
      title="Over time"
      actions={
        <Select
          label="Figure"
          value={figure.key}
          onChange={onChoice}
          choices={figures.map(({ key, text }) => [key, text])}
        />
      }
    >
      {Chart ? (
        <Chart
          days={days}
          lines={lines}
          label={`${figure.text} over time; break the table down by day for the numbers`}
        />
      ) : (
        <div class="chart" />
      )}
    </Card>
  );
};
