import type { ComponentChildren, JSX } from "preact";

/**
 * Shows a button that may be off. It then does nothing, but keeps the focus: a browser would take the focus from a
 * disabled one, and keyboard users would begin at the top of the page again.
 */
export const Button = ({
  type = "button",
  look = "",
  label,
  isOff,
  onPress,
  children,
}: {
  type?: "button" | "submit";
  /** Names styles besides the usual one. */
  look?: string;
  /** Names the button if its text does not. */
  label?: string;
  isOff: boolean;
  /** Runs when it is pressed. A button that submits a form does not need this. */
  onPress?: () => void;
  children: ComponentChildren;
}): JSX.Element => (
  <button
    type={type}
    class={look === "" ? "button" : `button ${look}`}
    aria-label={label}
    aria-disabled={isOff}
    onClick={(event) => {
      // Enter in a field presses the button that submits, too.
      if (isOff) event.preventDefault();
      else onPress?.();
    }}
  >
    {children}
  </button>
);
