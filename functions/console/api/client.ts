import { createClient, type CallOptions, type Lanyap } from "#client";
import { makeStore } from "../core/store.ts";
import { askAgain, session } from "./session.ts";
import { repeatable, type LastChange, type Send } from "./unanswered.ts";

/** Tells whether the service could be reached the last time. */
export const online = makeStore(true);

/** Limits how long reading waits by itself for a service that is busy; what takes longer is told. */
const LONGEST_WAIT_MS = 10_000;

/** Lets what only reads be asked once more where the service is busy. */
export const READING: CallOptions = { retries: 1 };

const ASK_AGAIN_MS = 5_000;

/** Asks now and then whether a service is back that could not be reached, until it is. */
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

/** Sends a request, without cookies and without a word of where it is from. */
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
 * Calls the API as who is signed in, by the names of its operations. A session that the service has ended is asked to sign
 * in again, and then the call is made once more. Nothing else is repeated, unless a call says so.
 */
export const api: Lanyap = createClient({
  url: location.origin,
  token: () => session.get()?.token ?? null,
  retries: 0,
  longestWaitMs: LONGEST_WAIT_MS,
  renew: (refused) => (session.get() ? askAgain() : Promise.reject(refused)),
  fetch: repeatable(send, lastChange),
});
