import { LanyapError, type ErrorCode } from "#client";
import { session } from "./session.ts";

/** Sends a request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Finds the id of the request that changed a resource last. */
export type LastChange = (resourceId: string, signal: AbortSignal | null | undefined) => Promise<string | undefined>;

/** Describes a change that may have been made: its resource, its body, and the version that it names; null for any. */
type Change = { request: string; resource: string | undefined; version: string | null; body: unknown };

/** Lists the methods that change existing resources. */
const CHANGING = new Set(["PUT", "PATCH", "DELETE"]);

/**
 * Describes a creation that has no answer: its key, the path that it was sent to, and whether it may have been made
 * without the user knowing, until they are told.
 */
type Creation = { key: string; path: string; isUntold: boolean };

/** Holds the creations that were not answered, by their requests. */
const creations = new Map<string, Creation>();

/** Holds the changes that were not answered, by the ids of their requests. */
const changes = new Map<string, Change>();

// Whoever signs out is forgotten, together with what they were about to send.
session.subscribe(() => {
  if (session.get() !== null) return;
  creations.clear();
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
 * Warns once who creates something while another creation there has no answer: only the same is sent under its key.
 *
 * @throws {LanyapError} in place of sending it
 */
const warnOfAnother = (request: string, path: string): void => {
  const others = [...creations].filter(([other, of]) => other !== request && of.path === path && of.isUntold);
  if (others.length === 0) return;
  for (const [, other] of others) other.isUntold = false;
  // The service has no such code, since it never sees this request.
  throw new LanyapError(
    "UNANSWERED" as ErrorCode,
    "No answer came to what you sent before, so it may exist already: look first. To make this one as well, press again.",
  );
};

/**
 * Makes it harmless to send a request again that was not answered. A request with an idempotency key keeps the key
 * until it is answered (API.md, "Idempotency keys"); another one to the same path is only sent after a warning. Other
 * changes go on from what the lost one has made. A resource that it deleted counts as deleted. The version that it made
 * may be changed like the one before, but only by a change that sets all that the lost one set: otherwise, a value that
 * the user has put back meanwhile would stay changed. The audit tells who made a version, so that somebody else's is
 * never taken for one's own.
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
    const { pathname, searchParams } = new URL(url);
    const path = `${init.method} ${pathname}`;
    // A dry run makes nothing.
    const mayMake = searchParams.get("dryRun") !== "true";
    warnOfAnother(request, path);
    const creation = creations.get(request) ?? { key, path, isUntold: false };
    creations.set(request, creation);
    headers.set("Idempotency-Key", creation.key);
    const response = await send(url, { ...init, headers }).catch((error: unknown) => {
      creation.isUntold = mayMake;
      throw error;
    });
    if (response.status >= 500) creation.isUntold = mayMake;
    // A caller who has to sign in or wait has no answer yet, and sends the same again.
    else if (response.status !== 401 && response.status !== 429) creations.delete(request);
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
