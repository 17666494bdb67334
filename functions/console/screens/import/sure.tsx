import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useWrite } from "../../api/use.ts";
import { Ask } from "../../blocks/changing/ask.tsx";
import { plural } from "../../core/format.ts";
import { useUnsaved } from "../../parts/moving/unsaved.ts";
import { sumOf, type Outcome } from "./told.ts";

/** Asks before rows are imported for good after a trial. Nothing closes it until the answer comes. */
export const Sure = ({
  of,
  send,
  onUnknown,
  onDone,
  onClose,
}: {
  of: Outcome;
  send: () => Promise<Outcome>;
  /** Runs when no answer came, so that nobody knows what was done. */
  onUnknown: () => void;
  onDone: (outcome: Outcome) => void;
  onClose: () => void;
}): JSX.Element => {
  const { run, isBusy, error } = useWrite();
  const isUnknown = error !== null && (error.status === 0 || error.status >= 500);
  useUnsaved(isBusy);
  // An effect would wait for the next frame, and a key pressed before it would close the dialog.
  useLayoutEffect(() => {
    if (isUnknown) onUnknown();
  }, [isUnknown]);
  const take = async (): Promise<void> => {
    const taken = await run(send);
    if (taken) onDone(taken);
  };
  const { created, updated, refused } = of.data;
  return (
    <Ask
      title={`Import ${plural(created + updated, "offer")}?`}
      action={isBusy ? "Importing …" : isUnknown ? "Send the same again" : "Import"}
      isHarmless
      isBusy={isBusy}
      error={error}
      onYes={() => void take()}
      onClose={onClose}
    >
      <p>{sumOf(of)}</p>
      <p>
        Active offers are shown within a few minutes.
        {updated > 0 && " What an offer was before is in its history."}
        {refused > 0 && " Rows that are refused are left out."}
      </p>
      {isUnknown && (
        <p class="note warn">
          It is not known whether anything was imported. You can safely send the same again: nothing is done twice.
        </p>
      )}
    </Ask>
  );
};
