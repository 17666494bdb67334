import type { GetReportParameters, ReportRow } from "#client";
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { dayParameter } from "../../../core/days.ts";
import { useRead, type Read } from "../../api/use.ts";
import { day } from "../../core/format.ts";
import { inFull, isNothing, type Figure } from "../../core/reports/figures.ts";
import { AsTable } from "../../parts/as-table.tsx";
import { Bones, Empty } from "../../parts/bits.tsx";
import { Select } from "../../parts/fields/field.tsx";
import { Card } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useChart } from "./use-chart.ts";

const DAYS = 30;

/** Reads what was counted on each of the last 30 UTC days. */
export const useLastDays = (filter: Partial<GetReportParameters> = {}): Read<ReportRow[]> => {
  const now = Date.now();
  return useRead("getReport", {
    reportType: "TOTAL",
    breakdownBy: "DAY",
    fill: true,
    dateStart: dayParameter(now, DAYS - 1),
    dateEnd: dayParameter(now),
    ...filter,
  });
};

/** Shows figures by day as a line, and as a table for those who want the numbers. */
const DailyChart = ({ rows, figures }: { rows: readonly ReportRow[]; figures: readonly Figure[] }) => {
  const Chart = useChart();
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

/**
 * Shows the last 30 days by day. While they are read, and where nothing was counted, it is as high as with a chart, so
 * that nothing below moves that somebody is about to click on.
 */
export const Daily = ({
  of: { data, error, reload },
  figures,
  children,
}: {
  of: Pick<Read<ReportRow[]>, "data" | "error" | "reload">;
  figures: readonly Figure[];
  /** Says how to get something counted, if nothing was. */
  children: ComponentChildren;
}): JSX.Element => (
  <Card title="The last 30 days">
    {error && <ProblemNote of={error} retry={reload} />}
    {(data || !error) && (
      <div class="daily">
        {!data && <Bones lines={9} />}
        {data && isNothing(data) && <Empty title="Nothing has been counted yet">{children}</Empty>}
        {data && !isNothing(data) && <DailyChart rows={data} figures={figures} />}
      </div>
    )}
  </Card>
);
