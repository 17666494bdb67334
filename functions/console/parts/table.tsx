import type { ComponentChildren, JSX } from "preact";
import { Box } from "./fields/field.tsx";

/** Describes a column: the first one names its row. */
export type Column<Row> = {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** Leaves it out on small screens. */
  isWide?: boolean;
  isNumber?: boolean;
};

const classOf = <Row,>({ isWide, isNumber }: Column<Row>): string =>
  [isWide && "wide", isNumber && "number"].filter(Boolean).join(" ");

/** Holds which rows are ticked, by their ids. */
export type Ticks = {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
  label: (id: string) => string;
};

/** Shows rows as a table. None can be ticked while `isOld`, since the rows asked for are still being read. */
export const Table = <Row extends { id: string }>({
  label,
  rows,
  columns,
  ticks,
  isLoading = false,
  isOld = false,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  ticks?: Ticks | undefined;
  isLoading?: boolean;
  isOld?: boolean;
}): JSX.Element => {
  const isAll = ticks !== undefined && rows.length > 0 && rows.every(({ id }) => ticks.ids.has(id));
  const tick = (id: string, on: boolean): void => {
    const next = new Set(ticks?.ids);
    if (on) next.add(id);
    else next.delete(id);
    ticks?.set(next);
  };
  return (
    <div
      class={isLoading ? "scroll is-loading" : "scroll"}
      aria-busy={isLoading}
      role="group"
      aria-label={label}
      tabIndex={0}
    >
      <table aria-label={label}>
        <thead>
          <tr>
            {ticks && (
              <th class="tick" scope="col">
                <Box
                  checked={isAll}
                  label="All on this page"
                  isOff={isOld}
                  onChange={(on) => {
                    const others = [...ticks.ids].filter((ticked) => !rows.some(({ id }) => id === ticked));
                    ticks.set(new Set(on ? [...others, ...rows.map(({ id }) => id)] : others));
                  }}
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.title} class={classOf(column)} scope="col">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {ticks && (
                <td class="tick">
                  <Box
                    checked={ticks.ids.has(row.id)}
                    label={ticks.label(row.id)}
                    isOff={isOld}
                    onChange={(on) => tick(row.id, on)}
                  />
                </td>
              )}
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.title} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Reserves the room of a table that is being loaded. */
export const TableBones = ({ lines = 6 }: { lines?: number }): JSX.Element => (
  <div role="status" aria-label="Loading">
    <table aria-hidden="true">
      <tbody>
        {Array.from({ length: lines }, (_, line) => (
          <tr key={line}>
            <td>
              <span class="bone" />
              <span class="under">
                <span class="bone" />
              </span>
            </td>
            <td class="wide">
              <span class="bone" />
            </td>
            <td>
              <span class="bone" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
