import { HAPPENINGS, type Figures, type Happening } from "./session.ts";

const LABELS: Record<Happening, string> = {
  requests: "Asked for offers",
  impressions: "Displayed",
  viewable: "Viewable",
  clicks: "Accepted",
  closes: "Declined or closed",
};

const COLUMNS = ["sent", "counted"] as const;

const move = (cell: HTMLElement | undefined, value: string): void => {
  if (!cell || cell.textContent === value) return;
  cell.textContent = value;
  cell.classList.remove("moved");
  // Reading the layout in between makes the browser see a change to animate.
  void cell.offsetWidth;
  cell.classList.add("moved");
};

/**
 * Adds the table of what a session sent and what the service counted of it.
 *
 * @returns a function that shows a column's figures
 */
export const makeCounters = (body: HTMLElement) => {
  const cells = new Map<string, HTMLElement>();
  for (const name of HAPPENINGS) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = LABELS[name];
    row.append(head);
    for (const column of COLUMNS) {
      const cell = document.createElement("td");
      cell.dataset["figure"] = `${column}-${name}`;
      cells.set(`${column}-${name}`, cell);
      row.append(cell);
    }
    body.append(row);
  }
  /** Shows a column's figures; null where they are unknown. */
  return (column: (typeof COLUMNS)[number], figures: Figures | null): void => {
    for (const name of HAPPENINGS) move(cells.get(`${column}-${name}`), figures ? String(figures[name]) : "–");
  };
};
