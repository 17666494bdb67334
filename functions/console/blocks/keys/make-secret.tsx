import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { Secret } from "../../parts/bits.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ClosingForm } from "../../parts/fields/form.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { useLeaving, useUnsaved } from "../../parts/moving/unsaved.ts";

const Cancel = ({ isOff, isTyped, onClose }: { isOff: boolean; isTyped: boolean; onClose: () => void }) => (
  <Button isOff={isOff} onPress={useLeaving(isTyped, onClose)}>
    Cancel
  </Button>
);

/** Shows a dialog that makes a secret, and then shows the secret, once. Nothing closes it in between. */
export const MakeSecret = ({
  title,
  label,
  action,
  make,
  onMade,
  onClose,
  isTyped = false,
  children,
}: {
  title: string;
  label: string;
  action: string;
  /** Makes it, and returns it. */
  make: () => Promise<string>;
  /** Receives the secret once somebody has copied it: reading again sooner may be refused, and hide the secret. */
  onMade: (secret: string) => void;
  onClose: () => void;
  /** Tells whether leaving would lose something that was typed. */
  isTyped?: boolean;
  /** Holds the fields of what is made. */
  children?: ComponentChildren;
}): JSX.Element => {
  const [made, setMade] = useState<string | null>(null);
  const { run, isBusy, error } = useWrite();
  useUnsaved(isBusy || made !== null);
  return (
    <Dialog title={title} onClose={onClose} mayLeave={made === null && !isBusy}>
      {made === null ? (
        <ClosingForm isBusy={isBusy} onSend={() => run(make).then(setMade)}>
          {children}
          {error && <ProblemNote of={error} />}
          <div class="actions">
            <Cancel isOff={isBusy} isTyped={isTyped} onClose={onClose} />
            <Button type="submit" look="main-action" isOff={isBusy}>
              {action}
            </Button>
          </div>
        </ClosingForm>
      ) : (
        <div class="stack">
          <Secret value={made} label={label} />
          <div class="actions">
            <button
              type="button"
              class="button main-action"
              onClick={() => {
                onClose();
                onMade(made);
              }}
            >
              I have copied it
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
};
