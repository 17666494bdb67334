import type { JSX } from "preact";
import type { Read } from "../../api/use.ts";
import { change, day, signedPercent } from "../../core/format.ts";
import { inFull, type Figure } from "../../core/reports/figures.ts";
import { GROUPS, idOf, nameOf, onlyOf, ONLY, type ComparedRow, type Group } from "../../core/reports/report.ts";
import { pageOf, type List } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import type { Asked } from "./asked.ts";

const PAGES: Partial<Record<Group, string>> = { PUBLISHER: "publishers", SITE: "sites", PLACEMENT: "placements" };
const DEMAND: Partial<Record<Group, string>> = { ADVERTISER: "advertisers", OFFER: "offers" };

const Cell = ({ figure, row: { now, before } }: { figure: Figure; row: ComparedRow }): JSX.Element => {
  if (!before) return <>{inFull(figure, now)}</>;
  const share = change(figure.of(now), figure.of(before));
  return (
    <>
      {inFull(figure, now)}
      <span class="under" title={`${inFull(figure, before)} in the compared period`}>
        {share === null ? `was ${inFull(figure, before)}` : signedPercent(share)}
      </span>
    </>
  );
};

const Named = ({
  asked,
  group,
  row,
  isManager,
  onName,
}: Parameters<typeof columnsOf>[0] & { group: Group; row: ComparedRow }) => {
  const [id, name, only] = [idOf(row.now, group), nameOf(row.now, group), onlyOf(group)];
  const folder = PAGES[group] ?? (isManager ? DEMAND[group] : undefined);
  const text = (
    <span class="clip" dir="auto" title={name}>
      {name}
    </span>
  );
  return (
    <span class="row named">
      {folder && id ? <a href={`/console/${folder}/${id}`}>{text}</a> : text}
      {only && id && asked.filters[only] !== id && (
        <button
          type="button"
          class="button little plain"
          aria-label={`Only ${name}`}
          onClick={() => {
            onName(id, name);
            asked.change({ [only]: id });
          }}
        >
          Only
        </button>
      )}
    </span>
  );
};

/** Lists the columns of a report: what its rows are about, their day, and the figures. */
export const columnsOf = (given: {
  asked: Asked;
  figures: readonly Figure[];
  isManager: boolean;
  onName: (id: string, name: string) => void;
}): Column<ComparedRow>[] => {
  const { asked, figures } = given;
  const titles = new Map(GROUPS);
  const date: Column<ComparedRow> = {
    title: { DAY: "UTC day", WEEK: "Week from", MONTH: "Month from" }[asked.per || "DAY"],
    cell: ({ now }) => <span class="nowrap">{now.date ? day(now.date) : ""}</span>,
  };
  const all: Column<ComparedRow> = { title: "All", cell: () => "All together" };
  const named = asked.groups.map((group): Column<ComparedRow> => ({
    title: titles.get(group) ?? group,
    cell: (row) => <Named {...given} group={group} row={row} />,
  }));
  return [
    ...named,
    ...(asked.per === "" ? [] : [date]),
    ...(named.length === 0 && asked.per === "" ? [all] : []),
    ...figures.map((figure): Column<ComparedRow> => ({
      title: figure.text,
      isNumber: true,
      cell: (row) => <Cell figure={figure} row={row} />,
    })),
  ];
};

/** Makes a list, with pages, from rows that are all here. */
export const listOf = (
  rows: readonly ComparedRow[] | null,
  asked: Asked,
  read: Pick<Read<unknown>, "error" | "isLoading" | "isOld" | "reload">,
): List<ComparedRow> => ({
  read: pageOf(rows, asked.page, read),
  filters: Object.fromEntries(ONLY.flatMap((name) => (asked.filters[name] ? [[name, asked.filters[name]]] : []))),
  page: asked.page,
  filter: asked.change,
  pageAddress: asked.pageAddress,
});
