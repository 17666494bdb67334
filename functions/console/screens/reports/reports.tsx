import type { GetReportParameters } from "#client";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { api } from "../../api/client.ts";
import { useRead } from "../../api/use.ts";
import { mayOwn, useWho } from "../../api/who.ts";
import { csvFile, Download } from "../../blocks/download.tsx";
import { sumOf } from "../../core/reports/figures.ts";
import { comparedRows, orderOf, reportedFigures, sortedBy, type ReportedRow } from "../../core/reports/report.ts";
import { bySpan, partnersOf, spansOf, type Per } from "../../core/reports/spans.ts";
import { Copy, Empty } from "../../parts/bits.tsx";
import { ListCard } from "../../parts/list.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { rowsQuery, totalsQuery, useAsked, type Asked } from "./asked.ts";
import { columnsOf, listOf } from "./rows.tsx";
import { MoneyNote, Tabs } from "./tabs.tsx";
import { Tools } from "./tools.tsx";
import { Course, Totals } from "./totals.tsx";

const useReport = (query: GetReportParameters | null) =>
  useRead(query && "getReport", query ?? { dateStart: "", dateEnd: "" });

const csvOf = (query: GetReportParameters) => async () =>
  csvFile(await api.getReport({ ...query, accept: "text/csv" }));

type Report = ReturnType<typeof useReport>;

/** Holds a report with what was asked for. `isOld` tells that another one is being read. */
type Drawn = Record<"rows" | "otherRows" | "totals" | "otherTotals", Report> & { asked: Asked; isOld: boolean };

/**
 * Reads a report and what it is compared with. While another one is being read, the previous one stays as a whole, with
 * what was asked for: rows of one mean nothing under the days or the split of another.
 */
const useReports = (asked: Asked): Drawn => {
  const { period, other } = asked;
  const [rows, otherRows] = [useReport(rowsQuery(asked, period)), useReport(other && rowsQuery(asked, other))];
  const [totals, otherTotals] = [useReport(totalsQuery(asked, period)), useReport(other && totalsQuery(asked, other))];
  const now = { asked, rows, otherRows, totals, otherTotals, isOld: false };
  const drawn = useRef<Drawn>(now);
  const isOld = [rows, totals, ...(other ? [otherRows, otherTotals] : [])].some((read) => read.isOld);
  if (!isOld) drawn.current = now;
  return { ...drawn.current, isOld };
};

/** Returns the days, weeks or months of rows by day. */
const spansIn = (rows: readonly ReportedRow[] | null, per: Per) =>
  spansOf(
    (rows ?? []).map(({ date = "" }) => date),
    per,
  );

/** Returns what was counted in two periods by day, week or month, each beside what it is compared with. */
const courseOf = (now: readonly ReportedRow[] | null, before: readonly ReportedRow[] | null, per: Per) => {
  const spans = { now: spansIn(now, per), before: spansIn(before, per) };
  const rows = new Map(bySpan(before ?? [], per).map((row) => [row.date, row]));
  return {
    spans,
    now: bySpan(now ?? [], per),
    before: before && partnersOf(spans).map((partner) => rows.get(partner?.date)),
  };
};

/** Tells whether a report has no rows, and will not get any. */
const isEmpty = ({ data, error }: Report): boolean => (data ? data.length === 0 : error !== null);

const NOT_COMPARED = "The compared period could not be read, so nothing is compared.";

/** Shows what was counted and earned, split, compared and limited as asked for. */
export const Reports = (): JSX.Element => {
  const who = useWho();
  const asked = useAsked(who);
  const [names, setNames] = useState<Record<string, string>>({});
  const { change } = asked;
  const { rows, otherRows, totals, otherTotals, isOld, asked: drawn } = useReports(asked);
  const { other, per, sort } = drawn;
  // Without the rows of the compared period, those of this one are shown alone.
  const before = other ? otherTotals.data : null;
  const earlier = other ? otherRows.data : null;
  const course = useMemo(() => courseOf(totals.data, before, per || "DAY"), [totals.data, before, per]);
  // What was lost is only in the rows of the compared period.
  const shown = [...(rows.data ?? []), ...(earlier ?? [])];
  const figures = reportedFigures(sumOf([...(totals.data ?? []), ...shown]));
  // Rows by offer have no requests, though the totals may have some.
  const columns = reportedFigures(sumOf(shown));
  // Rows come together with the figures above them, so that what somebody is about to click on does not move.
  const compareds = other ? [otherTotals, otherRows] : [];
  const isReady = [totals, ...compareds].every(({ data, error }) => data || error);
  const by = orderOf(sort, columns, per !== "");
  // A report may have tens of thousands of rows, and is rendered again with each letter that somebody types.
  const compared = useMemo(
    () => (isReady && rows.data ? sortedBy(comparedRows(rows.data, earlier, drawn.groups, course.spans), by) : null),
    [isReady, rows.data, earlier, drawn.groups.join(), course.spans, by],
  );
  const onName = (id: string, name: string) => setNames((known) => ({ ...known, [id]: name }));
  const others = [totals, ...compareds];
  const failed = others.find(({ error }) => error);
  const again = (): void => others.filter(({ error }) => error).forEach(({ reload }) => reload());
  const hasNothing = (rows.data?.length === 0 && (!other || isEmpty(otherRows))) || isEmpty(totals);
  return (
    <Page
      title="Reports"
      actions={
        <>
          <Copy text={asked.link} what="Copy link" isShown={false} />
          <Download make={csvOf(rowsQuery(asked, asked.period))} text="CSV" />
          {asked.other && <Download make={csvOf(rowsQuery(asked, asked.other))} text="CSV, compared" />}
        </>
      }
    >
      <Tabs />
      <MoneyNote who={who} />
      <section class="card" aria-label="What is shown">
        <div class="tools" role="search">
          <Tools asked={asked} who={who} figures={columns} names={names} onName={onName} />
        </div>
      </section>
      {failed?.error && failed.error.code !== rows.error?.code && (
        <ProblemNote of={failed.error} retry={again} meaning={failed === totals ? undefined : NOT_COMPARED} />
      )}
      <div class={isOld ? "stack is-loading" : "stack"} aria-busy={isOld}>
        {!hasNothing && <Totals now={totals.data} before={before} figures={figures} />}
        {course.now.length > 1 && !hasNothing && (
          <Course
            now={course.now}
            before={course.before}
            figures={figures}
            chosen={asked.filters["figure"]}
            onChoice={(figure) => change({ figure })}
          />
        )}
      </div>
      <ListCard
        label="Report"
        list={listOf(compared, asked, { ...rows, isOld, isLoading: rows.isLoading || isOld })}
        columns={columnsOf({
          asked: { ...drawn, change },
          figures: columns,
          isManager: who.kind !== "publisher",
          onName,
        })}
        empty={
          <Empty title="Nothing was counted on these days">
            <p>
              Requests, impressions and clicks are counted within seconds of a customer’s visit. Choose other days
              {mayOwn(who) && (
                <>
                  , or <a href="/console/explain">see why</a> a placement shows nothing
                </>
              )}
              .
            </p>
          </Empty>
        }
      />
    </Page>
  );
};
