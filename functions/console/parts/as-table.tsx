import type { JSX } from "preact";

/** Shows the numbers of a chart as a table, to be opened by whoever wants them. */
export const AsTable = ({
  label,
  heads: [first, ...figures],
  rows,
}: {
  label: string;
  /** Lists the column heads: of what the rows are, and then of each figure. */
  heads: readonly [string, ...string[]];
  rows: readonly { name: string; cells: readonly string[] }[];
}): JSX.Element => (
  <details>
    <summary>As a table</summary>
    <div class="scroll" tabIndex={0} role="group" aria-label={`${label}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {figures.map((text) => (
              <th key={text} scope="col" class="number">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }, at) => (
            <tr key={`${at} ${name}`}>
              <th scope="row" class="nowrap">
                {name}
              </th>
              {cells.map((text, i) => (
                <td key={figures[i]} class="number">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
