import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { useGoTo } from "../../parts/moving/go-to.ts";
import { Page } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";

/**
 * Shows the page of a list, with a button that opens a form to create another entry. A new entry is shown on its own
 * page.
 *
 * @param section the part of the address before an id, such as `sites`
 * @param one what the list has several of, such as `site`
 * @param form shows the form; missing where the user may not create any
 */
export const Listing = ({
  title,
  section,
  one,
  form,
  children,
}: {
  title: string;
  section: string;
  one: string;
  form: ((onDone: (id: string) => void, onClose: () => void) => JSX.Element) | false;
  children: ComponentChildren;
}): JSX.Element => {
  const goTo = useGoTo();
  const [open, setOpen] = useState<object | null>(null);
  const opened = useRef(open);
  opened.current = open;
  const made = (id: string): void => {
    const href = `/console/${section}/${id}`;
    // The answer may come after the form was left, and another one has something typed in it.
    const isOther = opened.current !== null && opened.current !== open;
    if (isOther || !goTo(href)) say(`The ${one} was created.`, undefined, { href, text: `Show the ${one}` });
  };
  return (
    <Page
      title={title}
      actions={
        form && (
          <button type="button" class="button main-action" onClick={() => setOpen({})}>
            New {one}
          </button>
        )
      }
    >
      {children}
      {form && open && form(made, () => setOpen(null))}
    </Page>
  );
};
