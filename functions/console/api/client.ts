import { createClient, type CallOptions, type Lanyap } from "#client";
import { makeStore } from "../core/store.ts";
import { askAgain, session } from "./session.ts";
import { repeatable, type LastChange, type Send } from "./unanswered.ts";

/** Tells whether the service could be reached at the last try. */
export const online = makeStore(true);

/** Limits how long reading waits by itself for a busy service; a longer wait is shown as a problem. */
const LONGEST_WAIT_MS = 10_000;

/** Lets calls that only read be retried once if the service is busy. */
export const READING: CallOptions = { retries: 1 };

const ASK_AGAIN_MS = 5_000;

/** Asks now and then whether a service that could not be reached is back, until it is. */
const askUntilBack = (): void => {
  setTimeout(() => {
    if (online.get()) return;
    // An answer of any kind ends this: `send` notes that the service was reached.
    send("/health", { method: "GET" }).catch(askUntilBack);
  }, ASK_AGAIN_MS);
};

online.subscribe(() => {
  if (!online.get()) askUntilBack();
});

/** Sends a request, without cookies and without a referrer. */
const send: Send = async (url, init) => {
  try {
    const response = await fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer" });
    if (!online.get()) online.set(true);
    return response;
  } catch (error) {
    if (!init.signal?.aborted && online.get()) online.set(false);
    throw error;
  }
};

/** Asks the audit which request changed a resource last. */
const lastChange: LastChange = async (id, signal) => {
  const { data } = await api.listAudit({ id, take: 1, signal: signal ?? undefined });
  return data[0]?.requestId;
};

/**
 * Calls the API as whoever is signed in, by the names of its operations. If the service has ended the session, the user
 * is asked to sign in again, and the call is made once more. Nothing else is retried, unless a call asks for it.
 */
export const api: Lanyap = createClient({
  url: location.origin,
  token: () => session.get()?.token ?? null,
  retries: 0,
  longestWaitMs: LONGEST_WAIT_MS,
  renew: (refused) => (session.get() ? askAgain() : Promise.reject(refused)),
  fetch: repeatable(send, lastChange),
});
