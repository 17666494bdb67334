import { createClient, type CallOptions, type Lanyap } from "#client";
import { makeStore } from "../core/store.ts";
import { askAgain, session } from "./session.ts";

/** Tells whether the service could be reached the last time. */
export const online = makeStore(true);

/** Limits how long reading waits by itself for a service that is busy; what takes longer is told. */
const LONGEST_WAIT_MS = 10_000;

/** Lets what only reads be asked once more where the service is busy. */
export const READING: CallOptions = { retries: 1 };

/** Holds keys of requests that were not answered: sent again, each happens once (API.md, "Idempotency keys"). */
const unanswered = new Map<string, string>();

// Whoever signs out is forgotten, with what they were about to send.
session.subscribe(() => {
  if (session.get() === null) unanswered.clear();
});

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
const send = async (url: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers);
  const key = headers.get("idempotency-key");
  const request = JSON.stringify([init.method, url, init.body]);
  if (key !== null) {
    const first = unanswered.get(request) ?? key;
    unanswered.set(request, first);
    headers.set("Idempotency-Key", first);
  }
  try {
    const response = await fetch(url, { ...init, headers, credentials: "omit", referrerPolicy: "no-referrer" });
    if (!online.get()) online.set(true);
    // An answer that breaks off in its middle is none: what was sent keeps its key.
    if (key !== null) await response.clone().arrayBuffer();
    if (response.status < 500) unanswered.delete(request);
    return response;
  } catch (error) {
    if (!init.signal?.aborted && online.get()) online.set(false);
    throw error;
  }
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
  fetch: send,
});
