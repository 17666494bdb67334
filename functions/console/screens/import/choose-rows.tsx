import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MAX_TRANSFERRED } from "../../../core/transfer-limits.ts";
import { count, plural } from "../../core/format.ts";
import { Text } from "../../parts/fields/field.tsx";
import { MOST_MB, readFile, sourceOf, type Source, type Unfit } from "./source.ts";

/** Holds what somebody has chosen: a file that was picked or dropped, or pasted text. */
export type Chosen = { name: string; isPicked: boolean; pasted: string; source: Source | Unfit };

const FORMS = { "text/csv": "CSV", "application/x-ndjson": "JSON" } as const;

const isFit = (source: Source | Unfit): source is Source => !("problem" in source);

/** Returns what was chosen, if it can be sent. */
export const fitOf = (chosen: Chosen | null): Source | null =>
  chosen !== null && isFit(chosen.source) ? chosen.source : null;

/** Asks for rows: a file that is chosen or dropped, or pasted text. */
export const ChooseRows = ({
  chosen,
  onChoice,
}: {
  chosen: Chosen | null;
  onChoice: (chosen: Chosen | null) => void;
}): JSX.Element => {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined, isPicked: boolean): Promise<void> => {
    if (file) onChoice({ name: file.name, isPicked, pasted: "", source: await readFile(file) });
  };
  // The field names no file other than the one that is used.
  useLayoutEffect(() => {
    if (input.current && !chosen?.isPicked) input.current.value = "";
  }, [chosen]);
  return (
    <div
      class={isOver ? "drop over stack" : "drop stack"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer?.files[0], false);
      }}
    >
      <div class="field">
        <label for={id}>File</label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.json,.jsonl,.ndjson,text/csv,application/json,application/x-ndjson,text/tab-separated-values"
          aria-describedby={`${id}-hint`}
          ref={input}
          // The same file may be chosen again once it is corrected.
          onClick={({ currentTarget }) => (currentTarget.value = "")}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0], true)}
        />
        <span class="hint" id={`${id}-hint`}>
          CSV or lines of JSON, as the export gives them, up to {count(MAX_TRANSFERRED)} rows and {MOST_MB} MB. You can
          also drop it here.
        </span>
      </div>
      <Text
        label="Or paste rows"
        hint="Cells copied from a spreadsheet work, too, with their column names in the first line"
        rows={4}
        value={chosen?.pasted ?? ""}
        onChange={(pasted) =>
          onChoice(
            pasted.trim() === "" ? null : { name: "Pasted text", isPicked: false, pasted, source: sourceOf(pasted) },
          )
        }
      />
      <p role="status">
        {chosen && (
          <>
            <strong dir="auto">{chosen.name}</strong>
            {isFit(chosen.source)
              ? `: ${plural(chosen.source.rows.length, "row")} of ${FORMS[chosen.source.form]}`
              : ""}
          </>
        )}
      </p>
      {chosen && !isFit(chosen.source) && (
        <p class="note bad" role="alert">
          {chosen.source.problem}
        </p>
      )}
    </div>
  );
};
