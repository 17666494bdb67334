import type { Who } from "#client";
import { makeStore } from "../core/store.ts";

/** Describes who is signed in, as `GET /api/v1/me` tells. */
export type Principal = Who;

/** Names who may sign in. */
export type Kind = Who["kind"];

/**
 * Holds who is signed in. With `isOver` the token has to be entered again: either the service refused it, or it was
 * forgotten after a long time without activity, and is then null.
 */
export type Session = { token: string | null; who: Principal; isKept: boolean; isOver: boolean };

const KEPT_AS = "lanyap-console-token";

/** Holds the session, in memory only. */
export const session = makeStore<Session | null>(null);

/** Says why nobody is signed in any more, for the sign-in page. */
export const farewell = makeStore<string | null>(null);

const waiting = new Set<{ go: () => void; stop: () => void }>();

/** Keeps a token for this tab, or forgets it. If storage is switched off, nothing is kept. */
const keep = (token: string | null): void => {
  try {
    if (token === null) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, token);
  } catch {
    // Then this session lasts as long as the page.
  }
};

/** Returns the token that was kept for this tab, if there is one. */
export const keptToken = (): string | null => {
  try {
    return sessionStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
};

/** Forgets who was signed in, and all that was read. */
export const signOut = (why: string | null = null): void => {
  try {
    // This also removes what the preview's script remembers of samples.
    sessionStorage.clear();
  } catch {
    // Then nothing was kept.
  }
  farewell.set(why);
  session.set(null);
  waiting.forEach(({ stop }) => stop());
  waiting.clear();
};

/** Forgets the token, and asks for it again; the page stays as it is behind the question. */
export const forgetToken = (): void => {
  const now = session.get();
  if (!now) return;
  keep(null);
  session.set({ ...now, token: null, isOver: true });
};

/** Begins a session, or continues one that the service had ended, if it belongs to the same principal. */
export const beginSession = (token: string, who: Principal, isKept: boolean): void => {
  const before = session.get();
  keep(isKept ? token : null);
  farewell.set(null);
  const isSame = before !== null && before.who.kind === who.kind && before.who.id === who.id;
  session.set({ token, who, isKept, isOver: false });
  waiting.forEach(({ go, stop }) => (isSame ? go() : stop()));
  waiting.clear();
};

/** Asks for the token again, and waits for it. Rejects when somebody else signs in, or nobody does. */
export const askAgain = (): Promise<void> => {
  const now = session.get();
  if (now && !now.isOver) session.set({ ...now, isOver: true });
  return new Promise((resolve, reject) => {
    waiting.add({ go: resolve, stop: () => reject(new DOMException("Signed out", "AbortError")) });
  });
};
