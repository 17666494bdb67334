import type { ComponentChildren, JSX } from "preact";
import type { Problem } from "../api/problem.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ProblemNote } from "../parts/problem.tsx";

/** Asks before something is done, in a dialog with a way to leave it. */
export const Ask = ({
  title,
  action,
  isOff,
  error,
  children,
  onYes,
  onClose,
}: {
  title: string;
  action: string;
  /** Tells that it cannot be done now. */
  isOff: boolean;
  error: Problem | null;
  /** Says what comes of it, and asks what has to be known. */
  children: ComponentChildren;
  onYes: () => void;
  onClose: () => void;
}): JSX.Element => (
  <Dialog title={title} onClose={onClose}>
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) onYes();
      }}
    >
      {children}
      {error && <ProblemNote of={error} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <Button type="submit" look="danger" isOff={isOff}>
          {action}
        </Button>
      </div>
    </form>
  </Dialog>
);
