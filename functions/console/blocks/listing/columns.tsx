import type { ComponentChildren } from "preact";
import { Clip, Time } from "../../parts/bits.tsx";
import type { Column } from "../../parts/table.tsx";

/**
 * Makes the column that names each row and leads to its page.
 *
 * @param section the part of the address before the row's id, such as `sites`
 * @param under returns what is shown below the name
 */
export const nameColumn = <Row extends { id: string; name: string }>(
  title: string,
  section: string,
  under?: (row: Row) => ComponentChildren,
): Column<Row> => ({
  title,
  cell: (row) => (
    <>
      <a class="clip" href={`/console/${section}/${row.id}`} dir="auto" title={row.name}>
        {row.name}
      </a>
      {under?.(row)}
    </>
  ),
});

/** Makes a column that names what a row belongs to, on wide screens. */
export const ownerColumn = <Row,>(title: string, nameOf: (row: Row) => string): Column<Row> => ({
  title,
  isWide: true,
  cell: (row) => <Clip>{nameOf(row)}</Clip>,
});

/** Shows, on wide screens, when a row was created. */
export const SINCE: Column<{ createdAt: string }> = {
  title: "Created",
  isWide: true,
  cell: ({ createdAt }) => <Time at={createdAt} />,
};
