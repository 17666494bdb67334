import type { ComponentChildren, JSX } from "preact";
import type { Problem } from "../../api/problem.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useLeaving } from "../../parts/moving/unsaved.ts";

type Asked = {
  action: string;
  /** Tells that it stops or removes nothing. */
  isHarmless?: boolean;
  /** Tells that it cannot be done yet. */
  isOff?: boolean;
  /** Tells that it is under way: until it is answered, "Cancel" and Escape do nothing. */
  isBusy?: boolean;
  error: Problem | null;
  /** Tells whether leaving would lose something that was typed. */
  isTyped?: boolean;
  /** Says what will happen, and asks what has to be known. */
  children: ComponentChildren;
  onYes: () => void;
  onClose: () => void;
};

const Question = ({
  action,
  isHarmless = false,
  isOff = false,
  isBusy = false,
  error,
  isTyped = false,
  children,
  onYes,
  onClose,
}: Asked): JSX.Element => {
  const cancel = useLeaving(isTyped, onClose);
  return (
    <ClosingForm isBusy={isBusy} onSend={() => !isOff && onYes()}>
      {children}
      {error && <ProblemNote of={error} />}
      <div class="actions">
        <Button isOff={isBusy} onPress={cancel}>
          Cancel
        </Button>
        <Button type="submit" look={isHarmless ? "main-action" : "danger"} isOff={isOff || isBusy}>
          {action}
        </Button>
      </div>
    </ClosingForm>
  );
};

/** Asks before something is done, in a dialog with a way to leave it. */
export const Ask = ({ title, ...asked }: Asked & { title: string }): JSX.Element => (
  <Dialog title={title} onClose={asked.onClose} mayLeave={!asked.isBusy}>
    <Question {...asked} />
  </Dialog>
);
