import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../api/use.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Text } from "../parts/field.tsx";
import { ProblemNote } from "../parts/problem.tsx";

/** Holds why something was switched, as the API takes it. It has no member where nothing was given. */
export type Why = { reason?: string };

/** Says why something was switched back by a press on "Undo". */
export const UNDONE: Why = { reason: "Undone in the console" };

/** Asks why something stops, and stops it. A reason may be left out. */
export const Stop = ({
  title,
  action,
  children,
  work,
  onDone,
  onClose,
}: {
  title: string;
  action: string;
  /** Says what comes of it. */
  children: ComponentChildren;
  work: (why: Why) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [typed, setTyped] = useState("");
  const { run, isBusy, error } = useWrite();
  const stop = async (): Promise<void> => {
    const reason = typed.trim();
    if (await run(() => work(reason === "" ? {} : { reason }))) onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void stop();
        }}
      >
        <p>{children}</p>
        <Text
          label="Reason"
          hint="Kept with the change, for whoever asks later"
          value={typed}
          onChange={setTyped}
          rows={2}
          maxLength={2_000}
        />
        {error && <ProblemNote of={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <Button type="submit" look="danger" isOff={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
