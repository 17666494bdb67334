import { session } from "./session.ts";

/** Sends a request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Finds the id of the request that changed a resource last. */
export type LastChange = (resourceId: string, signal: AbortSignal | null | undefined) => Promise<string | undefined>;

/** Describes a change that may have been made. `version` is what it was to change, as its tag; null for any. */
type Change = { request: string; version: string | null };

/** Holds the keys of requests that were not answered. */
const keys = new Map<string, string>();

/** Holds the changes that were not answered, by the ids of their requests. */
const changes = new Map<string, Change>();

// Whoever signs out is forgotten, with what they were about to send.
session.subscribe(() => {
  if (session.get() !== null) return;
  keys.clear();
  changes.clear();
});

/** Makes an id that no other request has. Pages without TLS have no `crypto.randomUUID`. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, "0")).join("");

/** Finds the id of what an address is of: of several the last, and no word behind it. */
const resourceIn = (url: string): string | undefined =>
  new URL(url).pathname.split("/").findLast((part) => part.includes("_"));

/**
 * Has what was not answered sent again without harm. What takes an idempotency key keeps it until it is answered (API.md,
 * "Idempotency keys"). Other changes go on from what the lost one has made: a resource that it deleted is deleted, and the
 * version that it made may be changed as the one before. The audit tells who made a version, so that another's is never
 * taken for one's own.
 */
export const repeatable = (sendOnce: Send, lastChange: LastChange): Send => {
  /** Sends a request, and reads the whole answer: one that breaks off in its middle is none. */
  const send: Send = async (url, init) => {
    const response = await sendOnce(url, init);
    await response.clone().arrayBuffer();
    return response;
  };

  const sendKeyed = async (url: string, init: RequestInit, headers: Headers, key: string): Promise<Response> => {
    const request = JSON.stringify([init.method, url, init.body]);
    const first = keys.get(request) ?? key;
    keys.set(request, first);
    headers.set("Idempotency-Key", first);
    const response = await send(url, { ...init, headers });
    // Who is to sign in or to wait has no answer yet, and sends the same again.
    if (response.status < 500 && response.status !== 401 && response.status !== 429) keys.delete(request);
    return response;
  };

  const sendNamed = async (url: string, init: RequestInit, headers: Headers, change: Change): Promise<Response> => {
    const id = newId();
    changes.set(id, change);
    headers.set("x-request-id", id);
    const response = await send(url, { ...init, headers });
    if (response.status < 500) changes.delete(id);
    return response;
  };

  const sendChange = async (url: string, init: RequestInit, headers: Headers): Promise<Response> => {
    const change = { request: `${init.method} ${url}`, version: headers.get("if-match") };
    const response = await sendNamed(url, init, headers, change);
    const lost = [...changes];
    const isGone = response.status === 404 && init.method === "DELETE";
    if (isGone && lost.some(([, { request }]) => request === change.request)) return Response.json({ success: true });
    const id = resourceIn(url);
    const version = response.headers.get("etag");
    if (response.status !== 412 || id === undefined || version === null) return response;
    const own = lost.flatMap(([name, of]) => (of.version === change.version ? [name] : []));
    if (own.length === 0 || !own.includes((await lastChange(id, init.signal)) ?? "")) return response;
    // It still stands for a change of the version that was read, in case that this answer is lost, too.
    headers.set("If-Match", version);
    return sendNamed(url, init, headers, change);
  };

  return (url, init) => {
    if (init.method === "GET") return sendOnce(url, init);
    const headers = new Headers(init.headers);
    const key = headers.get("idempotency-key");
    return key === null ? sendChange(url, init, headers) : sendKeyed(url, init, headers, key);
  };
};
