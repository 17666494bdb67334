import type { ImportedRow } from "#client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Download } from "../../blocks/download.tsx";
import { count, plural } from "../../core/format.ts";
import { Badge, Clip, Copy, type Tone } from "../../parts/bits.tsx";
import { Select, type Choice } from "../../parts/fields/field.tsx";
import { Card } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { nameOf, problemsText, refusedText, sumOf, wrongWith, type Outcome } from "./told.ts";

type Status = ImportedRow["status"];
type Row = { id: string; of: ImportedRow };

const TONES: Record<Status, Tone> = { created: "good", updated: "good", refused: "bad", skipped: "warn" };
const WORDS: Record<Status, string> = {
  created: "Created",
  updated: "Changed",
  refused: "Refused",
  skipped: "Skipped",
};
const STATUSES = ["refused", "skipped", "created", "updated"] as const;

/** Says how many rows are rendered at once. */
const AT_ONCE = 100;

const columnsOf = (outcome: Outcome): readonly Column<Row>[] => [
  {
    title: "Row",
    cell: ({ of: row }) => {
      const name = nameOf(outcome, row) || row.id;
      return (
        <>
          Row {count(row.row)}
          {name && (
            <span class="under">
              {row.id && (outcome.isDone || row.status === "updated") ? (
                <a class="clip" href={`/console/offers/${row.id}`} dir="auto">
                  {name}
                </a>
              ) : (
                <Clip>{name}</Clip>
              )}
            </span>
          )}
        </>
      );
    },
  },
  {
    title: outcome.isDone ? "What was done" : "What would be done",
    cell: ({ of: row }) => (
      <>
        <Badge tone={TONES[row.status]}>{WORDS[row.status]}</Badge>
        {wrongWith(row).map((text) => (
          <span key={text} class="under" dir="auto">
            {text}
          </span>
        ))}
      </>
    ),
  },
];

/** Shows rows grouped by result, so many at once. */
const Rows = ({ of }: { of: Outcome }): JSX.Element => {
  const { rows } = of.data;
  const counted = STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length] as const);
  const present = counted.filter(([, n]) => n > 0);
  const [status, setStatus] = useState<string>(of.data.refused > 0 ? "refused" : "");
  const [shown, setShown] = useState(AT_ONCE);
  const found = rows.filter((row) => status === "" || row.status === status);
  const left = found.length - shown;
  return (
    <>
      {present.length > 1 && (
        <div class="tools">
          <Select
            label="Show"
            value={status}
            onChange={(next) => {
              setStatus(next);
              setShown(AT_ONCE);
            }}
            choices={[
              ["", `All ${count(rows.length)} rows`],
              ...present.map(([one, n]): Choice => [one, `${WORDS[one]}: ${count(n)}`]),
            ]}
          />
        </div>
      )}
      <Table
        label="Rows"
        rows={found.slice(0, shown).map((row) => ({ id: String(row.row), of: row }))}
        columns={columnsOf(of)}
      />
      {left > 0 && (
        <div class="foot">
          <span class="muted small">
            {count(shown)} of {count(found.length)}
          </span>
          <button type="button" class="button little" onClick={() => setShown(shown + AT_ONCE)}>
            Show {count(Math.min(left, AT_ONCE))} more
          </button>
        </div>
      )}
    </>
  );
};

const fileOf = (name: string, text: string) => () =>
  Promise.resolve({ name, content: new Blob([text], { type: "text/plain" }) });

const Refused = ({ of }: { of: Outcome }): JSX.Element => (
  <div class="row" role="group" aria-label="Refused rows">
    <Copy text={problemsText(of)} what="Copy the problems" />
    <Download text="Save the problems" make={fileOf("refused.txt", problemsText(of))} />
    <Download
      text="Save the refused rows"
      make={fileOf(of.source.form === "text/csv" ? "refused.csv" : "refused.ndjson", refusedText(of))}
    />
  </div>
);

/** Says what to do next if not all rows were imported. */
const adviceOf = ({ isDone, how: { isAtomic }, data: { refused, rows } }: Outcome): string | null => {
  if (refused === 0) return null;
  if (isAtomic) {
    const others = refused < rows.length ? ", or let the other rows be taken" : "";
    return `Nothing ${isDone ? "was" : "would be"} imported, because ${plural(refused, "row")} of ${count(rows.length)} ${refused === 1 ? "is" : "are"} refused. Fix what is wrong${others}.`;
  }
  return isDone
    ? "Save the refused rows, fix them, and import only those: new offers from the other rows would be created twice."
    : null;
};

/** Shows the result of the rows, or of a trial, and leads on. */
export const OutcomeCard = ({
  of,
  isUnknown,
  onImport,
}: {
  of: Outcome;
  /** Tells that the rows were sent for good, and no answer came. */
  isUnknown: boolean;
  onImport: () => void;
}): JSX.Element => {
  const { created, updated, refused } = of.data;
  const isAny = created + updated > 0;
  const advice = adviceOf(of);
  return (
    <Card title={of.isDone ? "What was done" : "What would be done"} id="outcome" isFlush>
      <div class="inside stack">
        <p role="status">
          <strong>{sumOf(of)}</strong> {!of.isDone && !isUnknown && "Nothing is imported yet."}
          {of.isReplayed && "It was done when it was first sent, and is not done again."}
        </p>
        {advice && <p class="note warn">{advice}</p>}
        {(refused > 0 || (!of.isDone && isAny)) && (
          <div class="row spread">
            {refused > 0 && <Refused of={of} />}
            {!of.isDone && isAny && (
              <button type="button" class="button main-action" onClick={onImport}>
                {isUnknown ? "Send the same again" : `Import ${plural(created + updated, "offer")}`} …
              </button>
            )}
          </div>
        )}
      </div>
      <Rows of={of} />
    </Card>
  );
};
