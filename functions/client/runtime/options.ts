import type { LanyapError } from "./error.ts";

/** Holds a credential: a private, platform or administrator's token, a public key, or a conversion secret. */
export type Credential = string | (() => string | null | Promise<string | null>);

/** Holds what all calls of a client have in common. */
export type ClientOptions = {
  /** Names the service: `https://offers.example`. On a page of the service itself, `location.origin`. */
  url: string;
  /** Holds who calls, or finds it for each attempt. */
  token?: Credential | undefined;
  /** Limits each attempt, in milliseconds. Unless it is said, 30,000, and for offers 2,000. */
  timeoutMs?: number | undefined;
  /** Says how often a call that failed is repeated at most, where that is safe. Unless it is said, 2, and for offers 0. */
  retries?: number | undefined;
  /** Says for how long a call waits to be repeated at most, in milliseconds; a longer wait fails it. Unless it is said, 60,000. */
  longestWaitMs?: number | undefined;
  /**
   * Gets another credential where the service refused the one that was sent (401). The call is then made once more, with
   * what `token` finds. Rejects to end the call. A call with a token of its own fails at once.
   */
  renew?: ((refused: LanyapError) => Promise<void>) | undefined;
  /** Holds headers of every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sends requests in place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Waits between attempts, in place of a timer; for tests. Rejects when the signal ends the call. */
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** Holds what a single call has. */
export type CallOptions = {
  /** Ends the call, with its attempts and waits. */
  signal?: AbortSignal | undefined;
  /** Limits each attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Says how often it is repeated at most, where that is safe. */
  retries?: number | undefined;
  /** Holds who calls, in place of the client's credential. */
  token?: Credential | undefined;
  /** Holds further headers, such as `x-request-id`. */
  headers?: Readonly<Record<string, string>> | undefined;
};

/** Holds what came with an answer. */
export type Received = {
  /** Holds the status: 201 where something was created. */
  status: number;
  /** Names the version of a resource, to send as `ifMatch`. */
  etag: string | null;
  /** Names the request in the service's logs. */
  requestId: string | null;
  headers: Headers;
};

/** Holds an answer: its body, and what came with it. */
export type Answer<Body> = Body & Received;
