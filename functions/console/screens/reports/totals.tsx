import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Delta, useChart } from "../../blocks/figures.tsx";
import { sumOf, type Figure } from "../../core/reports/figures.ts";
import { partnerOf, type ReportedRow } from "../../core/reports/report.ts";
import { wholePair } from "../../core/reports/period.ts";
import { Select } from "../../parts/field.tsx";
import { Card } from "../../parts/page.tsx";

/** Shows the figures of a period as tiles, with how they differ from those of another. */
export const Tiles = ({
  now,
  before,
  figures,
}: {
  now: readonly ReportedRow[] | null;
  before: readonly ReportedRow[] | null;
  figures: readonly Figure[];
}): JSX.Element => {
  const sum = sumOf(now ?? []);
  const whole = now && before && wholePair(now, before, Date.now());
  const [over, other] = [sumOf(whole?.now ?? []), whole && sumOf(whole.before)];
  const left = whole && now && whole.now.length < now.length ? ", whole days" : "";
  return (
    <dl class="tiles" aria-label="In all">
      {figures.map((figure) => (
        <div class="tile" key={figure.key}>
          <dt>{figure.text}</dt>
          <dd>
            {now ? figure.write(figure.of(sum)) : <span class="bone" />}
            {now && other && (
              <div>
                <Delta
                  now={figure.of(over)}
                  before={figure.of(other)}
                  than={`on ${figure.write(figure.of(other))}${left}`}
                />
              </div>
            )}
          </dd>
        </div>
      ))}
    </dl>
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
  before: readonly ReportedRow[] | null;
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
    const partners = now.map((_, at) => partnerOf(at, now.length, before ?? []));
    const { text, of, write } = figure;
    const own = { text: before ? `${text}, this period` : text, values: now.map(of), write };
    return before
      ? [own, { text: "compared", values: partners.map((other) => (other ? of(other) : null)), write }]
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
