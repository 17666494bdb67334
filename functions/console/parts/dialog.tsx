import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** Shows a dialog above the page, which keeps the focus inside. Escape and its buttons close it. */
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
  const id = useId();
  useEffect(() => {
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
        if (event.key === "Escape" && !mayLeave) event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (mayLeave) onClose();
      }}
      onClose={({ currentTarget: dialog }) => {
        // A browser lets nobody be kept for long, and closes it without asking at the second time.
        if (!dialog.isConnected || dialog.open) return;
        if (mayLeave) onClose();
        else dialog.showModal();
      }}
    >
      <h2 id={id} dir="auto">
        {title}
      </h2>
      {children}
    </dialog>
  );
};
