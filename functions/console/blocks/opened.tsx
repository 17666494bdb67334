import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { say } from "../parts/toasts.tsx";

type Name = "edit" | "delete";

/** Holds which dialog of a page is open; `saved` closes it, says so and reads the page anew. */
export const useOpened = (reload: () => void) => {
  const [opened, setOpened] = useState<{ name: Name } | null>(null);
  // An answer that comes late closes its own dialog, and none that was opened since.
  const close = (): void => setOpened((now) => (now === opened ? null : now));
  return {
    name: opened?.name ?? null,
    open: (name: Name): void => setOpened({ name }),
    close,
    saved: (): void => {
      close();
      say("Saved.");
      reload();
    },
  };
};

/** Opens the dialogs in which something is edited and deleted. */
export const EditDelete = ({
  open,
  isLittle = false,
}: {
  open: (name: Name) => void;
  isLittle?: boolean;
}): JSX.Element => {
  const button = isLittle ? "button little" : "button";
  return (
    <>
      <button type="button" class={button} onClick={() => open("edit")}>
        Edit
      </button>
      <button type="button" class={`${button} danger`} onClick={() => open("delete")}>
        Delete …
      </button>
    </>
  );
};
