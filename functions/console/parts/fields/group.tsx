import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { describedBy, Notes } from "./notes.tsx";

/** Shows several controls as one field, with their label, a hint, and what is wrong with them. */
export const Group = ({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string;
  error: string | undefined;
  children: ComponentChildren;
}): JSX.Element => {
  const id = useId();
  return (
    <fieldset
      class="whole"
      // A form goes to what is wrong in it.
      data-wrong={error !== undefined}
      tabIndex={error === undefined ? undefined : -1}
      aria-describedby={describedBy(id, hint, error)}
    >
      <legend>{label}</legend>
      {children}
      <Notes id={id} hint={hint} error={error} />
    </fieldset>
  );
};
