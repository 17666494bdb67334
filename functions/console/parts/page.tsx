import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Read } from "../api/use.ts";
import { Bones } from "./bits.tsx";
import { goToPlace } from "./moving/place.ts";
import { ProblemNote } from "./problem.tsx";
import { useUndone } from "./undone.ts";

/** Names a page above this one. */
export type Crumb = { href: string; text: string };

// The first page leaves the focus to the browser, unless the user did something to come there.
let isFirst = true;

/** Lets the next page take the focus even if it is the first: the user comes from a form that is gone. */
export const focusNextPage = (): void => {
  isFirst = false;
};

/** Shows a page: its title, which a screen reader announces when the page changes, actions, and its content. */
export const Page = ({
  title,
  crumbs = [],
  actions,
  read,
  children,
}: {
  title: string;
  crumbs?: readonly Crumb[];
  actions?: ComponentChildren;
  /** Holds what the page reads, to read it again when something was undone, and to say if that failed. */
  read?: Pick<Read<unknown>, "error" | "reload">;
  children: ComponentChildren;
}): JSX.Element => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Lanyap console`;
  }, [title]);
  useLayoutEffect(goToPlace, []);
  useUndone(read?.reload);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <>
      <div class="head">
        <div class="grow">
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumbs">
              <ol class="crumbs">
                {crumbs.map(({ href, text }) => (
                  <li key={href}>
                    <a href={href}>{text}</a>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <h1 tabIndex={-1} ref={heading} dir="auto">
            {title}
          </h1>
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      <div class="stack">
        {read?.error && <ProblemNote of={read.error} retry={read.reload} />}
        {children}
      </div>
    </>
  );
};

/**
 * Shows a page in place of one for something that is not there: not yet, not at the moment, or not at all.
 *
 * @param what the kind of thing
 */
export const Unread = <Data,>({
  what,
  crumbs,
  read: { data, error, isOld, reload },
}: {
  what: string;
  crumbs: readonly Crumb[];
  read: Pick<Read<Data>, "data" | "error" | "isOld" | "reload">;
}): JSX.Element => {
  // An answer to another address says nothing about this one.
  const isAnswered = data !== null && !isOld;
  const isGone = isAnswered || error?.status === 404;
  return (
    <Page
      title={isGone ? `This ${what} is not yours, or is gone` : what.replace(/^./, (first) => first.toUpperCase())}
      crumbs={crumbs}
    >
      {isGone && <p>It belongs to somebody else, or it was deleted. Reports may name it all the same.</p>}
      {error && <ProblemNote of={error} retry={reload} />}
      {!isAnswered && !error && <Bones lines={8} />}
    </Page>
  );
};

/** Goes to the beginning of the card that an element is in, with the focus. */
export const focusCard = (inside: Element): void => {
  const card = inside.closest<HTMLElement>(".card");
  card?.scrollIntoView();
  card?.focus({ preventScroll: true });
};

/** Shows a part of a page under a heading. */
export const Card = ({
  title,
  actions,
  children,
  isFlush = false,
  id,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** Leaves out the padding, for tables. */
  isFlush?: boolean;
  /** Lets an address lead to it, as `#id`. */
  id?: string;
}): JSX.Element => {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (id === undefined || location.hash !== `#${id}`) return undefined;
    // The page that the card is on scrolls to its own beginning first.
    const frame = requestAnimationFrame(() => {
      card.current?.scrollIntoView();
      card.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <section class="card" aria-label={title} ref={card} {...(id && { id, tabIndex: -1 })}>
      <header>
        <h2>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </header>
      {isFlush ? children : <div class="inside">{children}</div>}
    </section>
  );
};
