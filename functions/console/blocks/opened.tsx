import type { JSX } from "preact";
import { useDialog } from "../parts/dialog.tsx";
import { say } from "../parts/toasts.tsx";

type Name = "edit" | "delete";

/** Holds which dialog of a page is open; `saved` closes it, says so and reads the page again. */
export const useOpened = (reload: () => void) => {
  const [name, open, close] = useDialog<Name>();
  return {
    name,
    open,
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
