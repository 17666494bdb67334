import type { ComponentChildren, JSX } from "preact";

/**
 * Shows a button that may be off. It then does nothing, and keeps the focus: a browser takes it from what is disabled, and
 * whoever works by keyboard would begin at the top of the page again.
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
  /** Names it where its words do not. */
  label?: string;
  isOff: boolean;
  /** Is told of a press. A button that submits a form needs none. */
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
