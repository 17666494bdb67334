import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { askToLeave, Unsaved } from "./moving/unsaved.ts";

/**
 * Holds what a dialog is open for; null while it is closed.
 *
 * @returns this value, and functions to open and close the dialog. The latter closes only the dialog that was open when
 *   the function was made: a late answer does not close one that was opened since.
 */
export const useDialog = <For,>(): readonly [open: For | null, show: (what: For) => void, close: () => void] => {
  const [opened, setOpened] = useState<{ what: For } | null>(null);
  const close = (): void => setOpened((now) => (now === opened ? null : now));
  return [opened?.what ?? null, (what) => setOpened({ what }), close];
};

/**
 * Shows a dialog above the page, which keeps the focus inside. Escape and its buttons close it; Escape asks first if
 * something in it is not saved.
 */
export const Dialog = ({
  title,
  children,
  onClose,
  isWide = false,
  mayLeave = true,
}: {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
  isWide?: boolean;
  /** Lets Escape close it. */
  mayLeave?: boolean;
}): JSX.Element => {
  const element = useRef<HTMLDialogElement>(null);
  const unsaved = useRef(new Set<object>()).current;
  const id = useId();
  const leave = (): boolean => {
    const isLeft = mayLeave && askToLeave(unsaved);
    if (isLeft) onClose();
    return isLeft;
  };
  // An effect would wait for the next frame, and a key pressed before it would go to the page behind.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? "roomy" : "usual"}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || (mayLeave && unsaved.size === 0)) return;
        event.preventDefault();
        leave();
      }}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClose={({ currentTarget: dialog }) => {
        // Browsers do not let a page trap people: at the second try, they close the dialog without asking.
        if (!dialog.isConnected || dialog.open) return;
        if (!leave()) dialog.showModal();
      }}
    >
      <h2 id={id} dir="auto">
        {title}
      </h2>
      <Unsaved.Provider value={unsaved}>{children}</Unsaved.Provider>
    </dialog>
  );
};
