import { dayParameter } from "../../core/days.ts";
import type { GetReportParameters, ReportRow } from "#client";
import type { FunctionComponent, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useRead } from "../api/use.ts";
import { change, day, signedPercent } from "../core/format.ts";
import { figuresOf, inFull, isNothing, sumOf, type Figure } from "../core/reports/figures.ts";
import { lastWeeks } from "../core/reports/period.ts";
import { AsTable } from "../parts/as-table.tsx";
import { Bones, Empty } from "../parts/bits.tsx";
import { Select } from "../parts/field.tsx";
import { Card } from "../parts/page.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import type { Chart as ChartType } from "./chart.tsx";

const DAYS = 30;

/** Loads charts when there is one to show. */
export const useChart = (): typeof ChartType | null => {
  const [Chart, setChart] = useState<typeof ChartType | null>(null);
  useEffect(() => {
    import("./chart.tsx").then(
      ({ Chart: found }) => setChart(() => found),
      () => undefined,
    );
  }, []);
  return Chart;
};

/** Shows by how much a figure changed; more is not always better, so only the arrow says which way. */
export const Delta = ({ now, before, than }: { now: number | null; before: number | null; than: string }) => {
  const share = change(now, before);
  if (share === null) return <span class="delta">No comparison</span>;
  const way = share > 0.0005 ? "up" : share < -0.0005 ? "down" : "same";
  return (
    <span class={`delta ${way}`}>
      {way === "up" ? "▲ " : way === "down" ? "▼ " : ""}
      {signedPercent(share)} <span class="muted">{than}</span>
    </span>
  );
};

/** Shows figures by day as a line, and as a table for those who want the numbers. */
export const DailyChart = ({ rows, figures }: { rows: readonly ReportRow[]; figures: readonly Figure[] }) => {
  const Chart: FunctionComponent<Parameters<typeof ChartType>[0]> | null = useChart();
  const [key, setKey] = useState(figures.some((figure) => figure.key === "revenue") ? "revenue" : "impressions");
  const figure = figures.find((candidate) => candidate.key === key) ?? figures[0];
  const days = useMemo(() => rows.map(({ date = "" }) => date), [rows]);
  const lines = useMemo(
    () => (figure ? [{ text: figure.text, values: rows.map((row) => figure.of(row)), write: figure.write }] : []),
    [rows, figure],
  );
  if (!figure) return null;
  return (
    <div class="stack tight">
      <div class="row">
        <Select
          label="Figure"
          value={key}
          onChange={setKey}
          choices={figures.map((candidate) => [candidate.key, candidate.text])}
        />
      </div>
      {Chart ? (
        <Chart days={days} lines={lines} label={`${figure.text} by day; the table below has the numbers`} />
      ) : (
        <div class="chart" />
      )}
      <AsTable
        label={`${figure.text} by day`}
        heads={["UTC day", ...figures.map(({ text }) => text)]}
        rows={rows.toReversed().map((row) => ({
          name: day(row.date ?? ""),
          cells: figures.map((candidate) => inFull(candidate, row)),
        }))}
      />
    </div>
  );
};

/** Shows what was counted of something in the last 30 days, and how the last seven whole ones compare with the seven before. */
export const Figures = ({ filter, empty }: { filter: Partial<GetReportParameters>; empty: string }): JSX.Element => {
  const now = Date.now();
  const { data, error, reload } = useRead("getReport", {
    reportType: "TOTAL",
    breakdownBy: "DAY",
    fill: true,
    dateStart: dayParameter(now, DAYS - 1),
    dateEnd: dayParameter(now),
    ...filter,
  });
  if (error) return <ProblemNote of={error} retry={reload} />;
  if (data && isNothing(data)) {
    return (
      <Card title="The last 30 days">
        <Empty title="Nothing was counted yet">
          <p>{empty}</p>
        </Empty>
      </Card>
    );
  }
  const sum = sumOf(data ?? []);
  const figures = figuresOf(data ? sum : { ...sum, requests: 0, fills: 0 });
  const { week, before } = lastWeeks(data ?? [], now);
  const [last, former] = [sumOf(week), sumOf(before)];
  return (
    <>
      <dl class="tiles" aria-label="The last 30 days">
        {figures.map((figure) => (
          <div class="tile" key={figure.key}>
            <dt>{figure.text}</dt>
            <dd>
              {data ? figure.write(figure.of(sum)) : <span class="bone" />}
              {data && (
                <div>
                  <Delta now={figure.of(last)} before={figure.of(former)} than="7 whole days on 7" />
                </div>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Card title="The last 30 days">{data ? <DailyChart rows={data} figures={figures} /> : <Bones lines={8} />}</Card>
    </>
  );
};
