import { attempt } from "./attempt.ts";
import { LanyapError } from "./error.ts";
import type { Answer, CallOptions, ClientOptions } from "./options.ts";
import { repeating } from "./retry.ts";

/** Describes an operation of the API to this runtime. */
export type Operation<Name extends string = string> = {
  /** Holds its method and path: `PUT /api/v1/offers/{id}`. */
  readonly route: string;
  /** Tells that it has a body. */
  readonly body?: true;
  /** Tells that it answers with a page of a list. */
  readonly list?: true;
  /** Tells that it takes an idempotency key. */
  readonly keyed?: true;
  /** Tells that doing it twice does no more than doing it once. */
  readonly repeatable?: true;
  /** Names the type of its answer, if that is not JSON. */
  readonly accept?: string;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Distinguishes the types of operations by their names; no value has it. */
  readonly of?: Name;
};

/** Holds what a caller passes besides ids and body. Whatever is not an option is a parameter. */
export type Options = CallOptions & {
  ifMatch?: string | null | undefined;
  idempotencyKey?: string | undefined;
  accept?: string | undefined;
  contentType?: string | undefined;
} & Record<string, unknown>;

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const JSON_TYPE = "application/json";

type Parameter = string | number | boolean | null | undefined;
type Parameters = { [name: string]: Parameter | readonly Parameter[] | Parameters };

/** Lists parameters: a list becomes one parameter for each entry, an object's members become `name.member`. */
const listed = (parameters: Parameters, prefix = ""): [string, string][] =>
  Object.entries(parameters).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.flatMap((one: Parameter) => listed({ [name]: one }, prefix));
    if (typeof value === "object") return listed(value as Parameters, `${prefix}${name}.`);
    return [[prefix + name, String(value)]];
  });

/** Puts ids into a path, and refuses those that would lead elsewhere. */
const filled = (path: string, ids: readonly unknown[]): string => {
  const left = [...ids];
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = left.shift();
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id, not ${String(id)}`);
    return encodeURIComponent(id);
  });
};

/** Makes a key that nobody else has. Pages without TLS have no `crypto.randomUUID`. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Makes a call, with its key, its limits and its retries. Every failure rejects its promise, so that `catch` sees it.
 *
 * @throws {TypeError} for an invalid id
 */
export const request = async (
  client: ClientOptions,
  operation: Operation,
  ids: readonly unknown[],
  body: unknown,
  { signal, timeoutMs, retries, token, headers, ifMatch, idempotencyKey, accept, contentType, ...parameters }: Options,
): Promise<Answer<Record<string, unknown>>> => {
  const [method = "", path = ""] = operation.route.split(" ");
  const query = new URLSearchParams(listed(parameters as Parameters)).toString();
  const url = client.url.replace(/\/$/, "") + filled(path, ids) + (query && `?${query}`);
  const isDry = parameters["dryRun"] === true;
  // A dry run does nothing that could be done twice.
  const key = idempotencyKey ?? (operation.keyed && !isDry ? newKey() : undefined);
  const sent = {
    ...client.headers,
    ...headers,
    Accept: accept ?? operation.accept ?? JSON_TYPE,
    ...(body === undefined ? {} : { "Content-Type": contentType ?? JSON_TYPE }),
    ...(ifMatch ? { "If-Match": ifMatch } : {}),
    ...(key ? { "Idempotency-Key": key } : {}),
  };
  const text =
    body === undefined ? {} : { body: contentType && typeof body === "string" ? body : JSON.stringify(body) };
  const send = async () => {
    const credential = token ?? client.token;
    const bearer = typeof credential === "function" ? await credential() : credential;
    return attempt(client, {
      url,
      init: { method, headers: { ...sent, ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) }, ...text },
      timeoutMs: timeoutMs ?? client.timeoutMs ?? operation.timeoutMs ?? TIMEOUT_MS,
      signal,
    });
  };
  const renewing = async () => {
    try {
      return await send();
    } catch (error) {
      const isRefused = error instanceof LanyapError && error.status === 401;
      if (!isRefused || !client.renew || token !== undefined) throw error;
      await client.renew(error);
      return send();
    }
  };
  return repeating(renewing, {
    retries: retries ?? client.retries ?? operation.retries ?? RETRIES,
    isSafe: method === "GET" || isDry || Boolean(key) || operation.repeatable === true,
    longestWaitMs: client.longestWaitMs,
    signal,
    wait: client.wait,
  });
};
