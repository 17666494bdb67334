import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { fieldProblems, type Problem } from "../api/problem.ts";
import { useWrite } from "../api/use.ts";
import { Button } from "../parts/button.tsx";
import { ProblemNote } from "../parts/problem.tsx";
import { useLeaving } from "../parts/moving/unsaved.ts";

/** Names the version that may be changed; null for any. */
export type Version = { ifMatch: string | null };

/** Holds a change to a version of a resource that was read. */
export type Editing = {
  isBusy: boolean;
  error: Problem | null;
  /** Maps fields to what is wrong with them. */
  wrong: Record<string, string>;
  /** Forgets what was wrong, because it was undone. */
  clear: () => void;
  /** Saves with the version that was read, and passes on the answer, with its own version, when it was accepted. */
  save: <Data>(
    send: (version: Version) => Promise<{ data: Data; etag: string | null }>,
    done: (data: Data, etag: string | null) => void,
  ) => Promise<void>;
  /** Saves the form as it is now, all the same, after somebody else has changed the resource; null if nobody has. */
  overwrite: ((form: HTMLFormElement | null) => void) | null;
};

/**
 * Saves changes to what was read with a tag. Only that version is changed; if there is another one, the user is asked
 * what to do.
 */
export const useEditing = (etag: string | null): Editing => {
  const { run, isBusy, error, clear } = useWrite();
  const isForced = useRef(false);
  const isStale = error?.status === 412;
  return {
    isBusy,
    error: isStale ? null : error,
    wrong: fieldProblems(error),
    clear,
    save: async (send, done) => {
      const ifMatch = isForced.current ? null : etag;
      const answer = await run(() => send({ ifMatch }));
      if (answer) done(answer.data, answer.etag);
    },
    overwrite: isStale
      ? (form) => {
          // The form saves what it holds now, which may be more than when it was refused.
          isForced.current = true;
          form?.requestSubmit();
          isForced.current = false;
        }
      : null,
  };
};

/** Shows what is wrong with a change: that somebody else saved first, with a choice, or why it was refused. */
const EditProblem = ({ of, onReload }: { of: Editing; onReload: () => void }): JSX.Element | null => {
  const { overwrite } = of;
  if (overwrite) {
    return (
      <div class="note warn stack tight" role="alert">
        <p>
          <strong>Somebody has changed this in the meantime.</strong> Load the new version and make your change again,
          or overwrite it with yours.
        </p>
        <div class="row">
          <button type="button" class="button little" onClick={onReload}>
            Load the new version
          </button>
          <button
            type="button"
            class="button little"
            onClick={({ currentTarget: { form } }) => {
              form?.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true });
              overwrite(form);
            }}
          >
            Overwrite with mine
          </button>
        </div>
      </div>
    );
  }
  return of.error ? <ProblemNote of={of.error} /> : null;
};

/** Shows the end of a form: what is wrong, and its buttons. */
export const FormEnd = ({
  editing,
  onReload,
  onCancel,
  action = "Save",
  isReady = true,
  isChanged,
  children,
}: {
  editing: Editing;
  onReload: () => void;
  onCancel?: () => void;
  action?: string;
  isReady?: boolean;
  /** Tells whether leaving would lose something. */
  isChanged: boolean;
  children?: ComponentChildren;
}): JSX.Element => {
  const cancel = useLeaving(isChanged, onCancel);
  const end = useRef<HTMLDivElement>(null);
  // A wrong field may be far above the button that was pressed.
  useEffect(() => {
    const form = end.current?.closest("form");
    if (Object.keys(editing.wrong).length === 0 || !form?.contains(document.activeElement)) return;
    form.querySelector<HTMLElement>("[aria-invalid=true], [data-wrong=true]")?.focus();
  }, [editing.error]);
  return (
    <>
      <EditProblem of={editing} onReload={onReload} />
      <p class="needed muted small">Fields with an asterisk (*) are required.</p>
      <div class="actions" ref={end}>
        {children}
        {onCancel && (
          <Button isOff={editing.isBusy} onPress={cancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" look="main-action" isOff={editing.isBusy || !isReady}>
          {editing.isBusy ? "Saving …" : action}
        </Button>
      </div>
    </>
  );
};
