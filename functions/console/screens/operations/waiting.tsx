import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Read } from "../../api/use.ts";
import { count } from "../../core/format.ts";
import { PAGE_SIZE, shownRows } from "../../core/filters.ts";
import { Table, type Column } from "../../parts/table.tsx";
import { Watched } from "./watched.tsx";

type Part = { skip: number; take: number };

/** Shows what waits, the longest waiting first, a page at a time. */
export const Waiting = <Row extends object>({
  title,
  useRows,
  idOf,
  columns,
  empty,
  turn = 0,
}: {
  title: string;
  /** Reads a page of what waits. */
  useRows: (part: Part) => Read<Row[]>;
  idOf: (row: Row) => string;
  columns: readonly Column<Row & { id: string }>[];
  /** Says what would be here. */
  empty: string;
  /** Reads again when it differs. */
  turn?: number;
}): JSX.Element => {
  const [page, setPage] = useState(1);
  const { data, error, isLoading, pagination, reload } = useRows({ skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE });
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn]);
  const rows = (data ?? []).map((row) => Object.assign({ id: idOf(row) }, row));
  const { from, to } = shownRows(page, pagination?.total ?? 0);
  // What waited on the last page may be gone by now.
  useEffect(() => {
    if (data && rows.length === 0 && page > 1) setPage(1);
  }, [data]);
  return (
    <Watched title={title} isFlush isKnown={data !== null} lines={3} error={error} again={reload}>
      {data && rows.length === 0 && <p class="inside muted">{empty}</p>}
      {rows.length > 0 && <Table label={title} rows={rows} columns={columns} isLoading={isLoading} />}
      {pagination && pagination.total > PAGE_SIZE && (
        <nav class="foot" aria-label={`Pages of ${title.toLowerCase()}`}>
          <span class="muted small" aria-live="polite">
            {count(from)}–{count(to)} of {count(pagination.total)}
          </span>
          <span class="row">
            {page > 1 && (
              <button type="button" class="button little" onClick={() => setPage(page - 1)}>
                Previous
              </button>
            )}
            {pagination.hasMore && (
              <button type="button" class="button little" onClick={() => setPage(page + 1)}>
                Next
              </button>
            )}
          </span>
        </nav>
      )}
    </Watched>
  );
};
