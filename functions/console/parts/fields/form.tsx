import { createContext } from "preact";
import type { ComponentChildren, JSX } from "preact";

/** Tells children whether the form around them is being sent: its fields stay as they are until the answer comes. */
export const Sending = createContext(false);

/** Keeps Enter in a field of one line from sending the form around it: there it means to search. */
export const keepEnter = (event: KeyboardEvent): void => {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
};

/**
 * Shows a form that closes when its answer comes. What is typed or chosen in between would be lost, so nothing can be;
 * the focus stays where it is. A form that stays open need not do this.
 */
export const ClosingForm = ({
  isBusy,
  look = "stack",
  onSend,
  children,
}: {
  isBusy: boolean;
  look?: string;
  onSend: () => unknown;
  children: ComponentChildren;
}): JSX.Element => (
  <form
    class={look}
    aria-busy={isBusy}
    onSubmit={(event) => {
      event.preventDefault();
      // Enter in a field sends it, too.
      if (!isBusy) void onSend();
    }}
  >
    <Sending.Provider value={isBusy}>{children}</Sending.Provider>
  </form>
);
