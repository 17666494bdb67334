import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { inWords } from "../api/problem.ts";
import { makeStore, useStore } from "../core/store.ts";
import { focusAgain } from "./moving/focus.ts";
import { noteUndone } from "./undone.ts";

type Link = { href: string; text: string };
type Toast = { id: number; text: string; undo?: (() => Promise<unknown>) | undefined; link?: Link | undefined };

const toasts = makeStore<readonly Toast[]>([]);
const SHOWN_MS = 8_000;
let last = 0;

const close = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Ends a message after some seconds, unless somebody is about to act on one. */
const endLater = (id: number): void => {
  setTimeout(() => {
    if (document.querySelector(".toasts:is(:hover, :focus-within)")) endLater(id);
    else close(id);
  }, SHOWN_MS);
};

/** Shows for some seconds what was done, with a way to undo it or a link to the result. */
export const say = (text: string, undo?: () => Promise<unknown>, link?: Link): void => {
  last += 1;
  const id = last;
  toasts.set([...toasts.get(), { id, text, undo, link }].slice(-3));
  endLater(id);
};

/** Removes all messages, which belong to another session. */
export const clearToasts = (): void => toasts.set([]);

/** Shows the messages. */
export const Toasts = (): JSX.Element => {
  const shown = useStore(toasts);
  const before = useRef<EventTarget | null>(null);
  const leave = (id: number): void => {
    focusAgain(before.current);
    close(id);
  };
  return (
    <div
      class="toasts"
      role="status"
      aria-live="polite"
      onFocusIn={({ currentTarget, relatedTarget: from }) => {
        if (!(from instanceof Node && currentTarget.contains(from))) before.current = from;
      }}
    >
      {shown.map(({ id, text, undo, link }) => (
        <div class="toast" key={id}>
          <span class="grow" dir="auto">
            {text}
          </span>
          {link && (
            <a class="button little" href={link.href} onClick={() => close(id)}>
              {link.text}
            </a>
          )}
          {undo && (
            <button
              type="button"
              class="button little"
              onClick={() => {
                leave(id);
                undo()
                  .catch((error: unknown) => say(`That could not be undone: ${inWords(error)}`))
                  .finally(noteUndone);
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="button little plain" aria-label="Close this message" onClick={() => leave(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
};
