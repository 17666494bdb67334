/** Writes a table in Markdown, with aligned columns. */
export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = columns.map((name, i) => Math.max(3, name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(columns), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
};
