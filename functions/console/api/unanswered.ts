import { session } from "./session.ts";

/** Sends a request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Finds the id of the request that changed a resource last. */
export type LastChange = (resourceId: string, signal: AbortSignal | null | undefined) => Promise<string | undefined>;

/** Describes a change that may have been made: its resource, its body, and the version that it names; null for any. */
type Change = { request: string; resource: string | undefined; version: string | null; body: unknown };

/** Lists the methods that change existing resources. */
const CHANGING = new Set(["PUT", "PATCH", "DELETE"]);

/** Holds the keys of requests that were not answered. */
const keys = new Map<string, string>();

/** Holds the changes that were not answered, by the ids of their requests. */
const changes = new Map<string, Change>();

// Whoever signs out is forgotten, together with what they were about to send.
session.subscribe(() => {
  if (session.get() !== null) return;
  keys.clear();
  changes.clear();
});

/** Makes an id that no other request has. Pages without TLS have no `crypto.randomUUID`. */
const newId = (): string =>
  "req_" +
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, "0")).join("");

/** Finds the id of the resource in an address: the last id, whatever words follow it. */
const resourceIn = (url: string): string | undefined =>
  new URL(url).pathname.split("/").findLast((part) => part.includes("_"));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Tells whether one body sets every member that another one sets, so that nothing of the other remains. */
const covers = (body: unknown, other: unknown): boolean =>
  !isObject(other) ||
  Array.isArray(other) ||
  (isObject(body) &&
    Object.entries(other).every(
      ([name, value]) => name in body && covers((body as Record<string, unknown>)[name], value),
    ));

const bodyOf = ({ body }: RequestInit): unknown => (typeof body === "string" ? JSON.parse(body) : undefined);

/**
 * Makes it harmless to send a request again that was not answered. A request with an idempotency key keeps the key
 * until it is answered (API.md, "Idempotency keys"). Other changes go on from what the lost one has made. A resource
 * that it deleted counts as deleted. The version that it made may be changed like the one before, but only by a change
 * that sets all that the lost one set: otherwise, a value that the user has put back meanwhile would stay changed. The
 * audit tells who made a version, so that somebody else's is never taken for one's own.
 */
export const repeatable = (sendOnce: Send, lastChange: LastChange): Send => {
  /** Sends a request, and reads the whole answer: one that breaks off in the middle does not count. */
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
    // A caller who has to sign in or wait has no answer yet, and sends the same again.
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
    const resource = resourceIn(url);
    const change = {
      request: `${init.method} ${url}`,
      resource,
      version: headers.get("if-match"),
      body: bodyOf(init),
    };
    const response = await sendNamed(url, init, headers, change);
    const lost = [...changes];
    const isDeletion = init.method === "DELETE";
    if (isDeletion && response.status === 404 && lost.some(([, { request }]) => request === change.request))
      return Response.json({ success: true });
    const version = response.headers.get("etag");
    if (response.status !== 412 || resource === undefined || version === null) return response;
    const own = lost.filter(([, of]) => of.resource === resource && of.version === change.version);
    if (own.length === 0 || !own.every(([, { body }]) => isDeletion || covers(change.body, body))) return response;
    const last = await lastChange(resource, init.signal);
    if (!own.some(([name]) => name === last)) return response;
    // The change is still remembered as one of the version that was read, in case this answer is lost, too.
    headers.set("If-Match", version);
    return sendNamed(url, init, headers, change);
  };

  return (url, init) => {
    const headers = new Headers(init.headers);
    const key = headers.get("idempotency-key");
    if (key !== null) return sendKeyed(url, init, headers, key);
    return CHANGING.has(init.method ?? "") ? sendChange(url, init, headers) : sendOnce(url, init);
  };
};
