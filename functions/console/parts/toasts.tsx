import type { JSX } from "preact";
import { inWords } from "../api/problem.ts";
import { makeStore, useStore } from "../core/store.ts";

type Toast = { id: number; text: string; undo?: (() => Promise<unknown>) | undefined };

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

/** Tells what was done, for some seconds, with a way to undo it. */
export const say = (text: string, undo?: () => Promise<unknown>): void => {
  last += 1;
  const id = last;
  toasts.set([...toasts.get(), { id, text, undo }].slice(-3));
  endLater(id);
};

/** Takes back everything that was told: it is of another session. */
export const clearToasts = (): void => toasts.set([]);

/** Shows what was told. */
export const Toasts = (): JSX.Element => {
  const shown = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          <span class="grow" dir="auto">
            {text}
          </span>
          {undo && (
            <button
              type="button"
              class="button little"
              onClick={() => {
                close(id);
                undo().catch((error: unknown) => say(`That could not be undone: ${inWords(error)}`));
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="button little plain" aria-label="Close this message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
};
