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
      onCancel={(event) => {
        event.preventDefault();
        if (mayLeave) onClose();
      }}
    >
      <h2 id={id} dir="auto">
        {title}
      </h2>
      {children}
    </dialog>
  );
};
