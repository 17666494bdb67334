import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { Secret } from "../../parts/bits.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Select, type Choice } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/problem.tsx";

const OVERLAPS: readonly Choice[] = [
  ["0", "The old one ends at once"],
  ["3600", "The old one works for an hour"],
  ["86400", "The old one works for a day"],
  ["604800", "The old one works for a week"],
  ["2592000", "The old one works for 30 days"],
];

/** Replaces a secret by a new one, which it shows once, with a time in which both work. */
export const Rotate = ({
  title,
  rotate: replace,
  label,
  onDone,
  onClose,
  children,
}: {
  title: string;
  /** Makes the new one, and returns it. */
  rotate: (body: { overlapSeconds: number }) => Promise<string>;
  label: string;
  onDone: () => void;
  onClose: () => void;
  children?: ComponentChildren;
}): JSX.Element => {
  const [overlap, setOverlap] = useState("86400");
  const [made, setMade] = useState<string | null>(null);
  const { run, isBusy, error } = useWrite();
  const rotate = async (): Promise<void> => {
    const secret = await run(() => replace({ overlapSeconds: Number(overlap) }));
    if (secret === null) return;
    setMade(secret);
    onDone();
  };
  return (
    <Dialog title={title} onClose={onClose} mayLeave={made === null}>
      {made === null ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void rotate();
          }}
        >
          {children}
          <Select
            label="The old one"
            value={overlap}
            onChange={setOverlap}
            choices={OVERLAPS}
            hint="If it has leaked, let it end at once. Else leave time to put the new one in its place."
          />
          {error && <ProblemNote of={error} />}
          <div class="actions">
            <button type="button" class="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" class="button main-action" disabled={isBusy}>
              Rotate
            </button>
          </div>
        </form>
      ) : (
        <div class="stack">
          <Secret value={made} label={label} />
          <div class="actions">
            <button type="button" class="button main-action" onClick={onClose}>
              I have copied it
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
