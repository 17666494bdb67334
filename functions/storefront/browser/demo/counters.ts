/** What happens to an offer, under the names of the report. */
export type Happening = "requests" | "impressions" | "viewable" | "clicks" | "closes";

const LABELS: Record<Happening, string> = {
  requests: "Asked for offers",
  impressions: "Displayed",
  viewable: "Viewable",
  clicks: "Accepted",
  closes: "Declined or closed",
};

const names = Object.keys(LABELS) as Happening[];

/** Makes the table of what this page sent and what the service counted, and returns how to move its figures. */
export const makeCounters = (body: HTMLElement) => {
  const cells = new Map<string, HTMLElement>();
  for (const name of names) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = LABELS[name];
    row.append(head);
    for (const column of ["sent", "counted"]) {
      const cell = document.createElement("td");
      cell.textContent = column === "sent" ? "0" : "–";
      cell.dataset["figure"] = `${column}-${name}`;
      cells.set(`${column}-${name}`, cell);
      row.append(cell);
    }
    body.append(row);
  }
  const set = (figure: string, value: number) => {
    const cell = cells.get(figure);
    if (!cell || cell.textContent === String(value)) return;
    cell.textContent = String(value);
    cell.classList.remove("moved");
    // Read in between, or the browser would see no change to animate.
    void cell.offsetWidth;
    cell.classList.add("moved");
  };
  return {
    sent: (name: Happening) => set(`sent-${name}`, Number(cells.get(`sent-${name}`)?.textContent) + 1),
    counted: (figures: Partial<Record<Happening, number>>) => {
      for (const name of names) set(`counted-${name}`, figures[name] ?? 0);
    },
  };
};
