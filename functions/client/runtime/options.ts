import type { LanyapError } from "./error.ts";

/** Holds a credential: a private, platform or administrator's token, a public key, or a conversion secret. */
export type Credential = string | (() => string | null | Promise<string | null>);

/** Holds what all calls of a client have in common. */
export type ClientOptions = {
  /** Holds the address of the service, such as `https://offers.example`; on its own pages, `location.origin`. */
  url: string;
  /** Holds the credential, or a function that returns it for each attempt. */
  token?: Credential | undefined;
  /** Limits each attempt, in milliseconds; 30,000 by default, and 2,000 for offers. */
  timeoutMs?: number | undefined;
  /** Limits how often a failed call is retried, where that is safe; 2 by default, and 0 for offers. */
  retries?: number | undefined;
  /**
   * Limits how long a call waits before a retry, in milliseconds; if it would have to wait longer, it fails. 60,000 by
   * default.
   */
  longestWaitMs?: number | undefined;
  /**
   * Gets another credential when the service refused the one that was sent (401). The call is then made once more, with
   * what `token` returns. A rejection ends the call. A call with its own token fails at once.
   */
  renew?: ((refused: LanyapError) => Promise<void>) | undefined;
  /** Holds headers of every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sends requests in place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Waits between attempts in place of a timer, for tests. It has to reject when the signal ends the call. */
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** Holds what a single call has. */
export type CallOptions = {
  /** Ends the call, with its attempts and waits. */
  signal?: AbortSignal | undefined;
  /** Limits each attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Limits how often it is retried, where that is safe. */
  retries?: number | undefined;
  /** Holds a credential to use in place of the client's. */
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
