import { createContext } from "preact";
import type { ComponentChildren, JSX } from "preact";

/** Hands down whether the form around is being sent: its fields stay as they are until that is answered. */
export const Sending = createContext(false);

/**
 * Shows a form that the answer to it closes. What is typed or chosen between sending and that answer would be lost, so that
 * nothing can be; the focus stays where it is. A form that stays open lets somebody go on, and is none of these.
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
