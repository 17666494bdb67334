import type { ComponentChildren, JSX } from "preact";

/** Names the elements of {@link Notes}, so that they are read out with the field of that id. */
export const describedBy = (id: string, hint: unknown, error: unknown): string | undefined =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

/** Shows a field's hint, and what is wrong with it. */
export const Notes = ({
  id,
  hint,
  error,
}: {
  id: string;
  hint?: ComponentChildren;
  error: string | undefined;
}): JSX.Element => (
  <>
    {hint && (
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {error && (
      <span class="wrong" id={`${id}-error`}>
        {error}
      </span>
    )}
  </>
);
