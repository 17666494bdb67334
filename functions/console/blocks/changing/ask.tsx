import type { ComponentChildren, JSX } from "preact";
import type { Problem } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useLeaving } from "../../parts/unsaved.ts";

type Asked = {
  action: string;
  /** Tells that it cannot be done now. */
  isOff: boolean;
  error: Problem | null;
  /** Tells whether something that was typed would be lost by leaving. */
  isTyped?: boolean;
  /** Says what comes of it, and asks what has to be known. */
  children: ComponentChildren;
  onYes: () => void;
  onClose: () => void;
};

const Question = ({ action, isOff, error, isTyped = false, children, onYes, onClose }: Asked): JSX.Element => {
  const cancel = useLeaving(isTyped, onClose);
  return (
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
        <button type="button" class="button" onClick={cancel}>
          Cancel
        </button>
        <Button type="submit" look="danger" isOff={isOff}>
          {action}
        </Button>
      </div>
    </form>
  );
};

/** Asks before something is done, in a dialog with a way to leave it. */
export const Ask = ({ title, ...asked }: Asked & { title: string }): JSX.Element => (
  <Dialog title={title} onClose={asked.onClose}>
    <Question {...asked} />
  </Dialog>
);
