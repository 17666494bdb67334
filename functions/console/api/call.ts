import { makeStore } from "../core/store.ts";
import { problem, readProblem, type Problem } from "./problem.ts";
import { askAgain, session } from "./session.ts";

/** Names what may stand in a query. What is undefined or empty is left out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** Describes a call. `ifMatch` is the `ETag` of what was read, so that nobody's change is lost. */
export type Call = {
  query?: Query | undefined;
  body?: unknown;
  ifMatch?: string | null | undefined;
  signal?: AbortSignal | undefined;
  /** Names a token that is not the session's: for signing in. */
  token?: string | undefined;
  /** Asks for something other than JSON. */
  accept?: string | undefined;
};

/** Holds a part of a list's place in it. */
export type Pagination = { total: number; skip: number; take: number; hasMore: boolean };

/** Holds a success: its `data`, and what came with it. */
export type Answer<Data> = { data: Data; etag: string | null; pagination?: Pagination; message?: string };

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Tells whether the service could be reached the last time. */
export const online = makeStore(true);

const LONGEST_WAIT_S = 10;

/** Returns the address of a call. */
const addressOf = (path: string, query: Query = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
};

/** Waits so many seconds, or until a signal ends it. */
export const wait = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("Stopped", "AbortError"));
    });
  });

/** Holds keys of requests that were not answered: sent again, each happens once (API.md, "Idempotency keys"). */
const unanswered = new Map<string, string>();

const keyOf = (request: string): string => {
  const key = unanswered.get(request) ?? `console-${Date.now()}-${Math.random().toString(36).slice(2)}`;
  unanswered.set(request, key);
  return key;
};

const send = async (
  method: Method,
  path: string,
  { query, body, ifMatch, signal, token, accept = "application/json" }: Call,
): Promise<Response> => {
  const bearer = token ?? session.get()?.token ?? "";
  const headers = new Headers({ Accept: accept, Authorization: `Bearer ${bearer}` });
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (ifMatch) headers.set("If-Match", ifMatch);
  const address = addressOf(path, query);
  const request = `${address} ${JSON.stringify(body)}`;
  if (method === "POST") headers.set("Idempotency-Key", keyOf(request));
  try {
    const response = await fetch(address, {
      method,
      headers,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    if (!online.get()) online.set(true);
    if (response.status < 500) unanswered.delete(request);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    online.set(false);
    throw problem(
      "OFFLINE",
      "The service cannot be reached. Check your connection, and try again: nothing happens twice.",
    );
  }
};

const refusal = async (response: Response): Promise<Problem> => {
  const body: unknown = await response.json().catch(() => null);
  return readProblem(response.status, body, response.headers.get("x-request-id"), response.headers.get("retry-after"));
};

const respond = async (method: Method, path: string, options: Call): Promise<Response> => {
  const response = await send(method, path, options);
  if (response.status === 401 && options.token === undefined && session.get()) {
    await askAgain();
    return respond(method, path, options);
  }
  const retry = Number(response.headers.get("retry-after"));
  if (method === "GET" && response.status === 503 && retry > 0 && retry <= LONGEST_WAIT_S) {
    await wait(retry, options.signal);
    return send(method, path, options);
  }
  return response;
};

/**
 * Calls the API as who is signed in. A session that the service has ended is asked to sign in again, and then the call is
 * made once more. Reading waits as long as the service says it is busy, once.
 *
 * @throws {Problem} in words, with its code and request id; `OFFLINE` where the service cannot be reached
 * @throws {DOMException} `AbortError` when `signal` ends the call
 */
export const call = async <Data>(method: Method, path: string, options: Call = {}): Promise<Answer<Data>> => {
  const response = await respond(method, path, options);
  if (!response.ok) throw await refusal(response);
  const { data, pagination, message } = (await response.json()) as {
    data: Data;
    pagination?: Pagination;
    message?: string;
  };
  return { data, etag: response.headers.get("etag"), ...(pagination && { pagination }), ...(message && { message }) };
};

/**
 * Reads a file as CSV, with the name that the service gave it.
 *
 * @throws {Problem} as {@link call} does
 */
export const callCsv = async (path: string, query: Query): Promise<{ name: string; content: Blob }> => {
  const response = await respond("GET", path, { query, accept: "text/csv" });
  if (!response.ok) throw await refusal(response);
  const name = /filename="([\w.-]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { name: name ?? "report.csv", content: await response.blob() };
};
