import type { createTestHarness, WorkerHandle } from "wrangler";

type Server = ReturnType<typeof createTestHarness>;
type Input = Parameters<Server["fetch"]>[0];
type Answer = Awaited<ReturnType<Server["fetch"]>>;
export type RequestInit = Omit<NonNullable<Parameters<Server["fetch"]>[1]>, "headers"> & {
  headers?: Record<string, string>;
};
export type WorkerFetch = (input: Input, init?: RequestInit) => Promise<Answer>;

/**
 * Limits the bodies that may share a connection. The runtime reads this much of a refused body, so that the connection
 * stays open.
 */
const DRAINED_BYTES = 32_768;
const ATTEMPTS = 5;

const isSmall = (body: unknown): boolean =>
  typeof body === "string" || body instanceof Uint8Array ? body.length <= DRAINED_BYTES : !body;

/** Sends a request again when its connection broke before the answer came. */
const insist = async (send: () => Promise<Answer>, attempts: number): Promise<Answer> => {
  try {
    const answer = await send();
    const text = await answer.clone().text();
    // The runtime's proxy reports this in an answer of its own.
    if (answer.status === 500 && text.startsWith("Error: Network connection lost")) throw new Error(text);
    return answer;
  } catch (error) {
    if (attempts === 1) throw error;
    return insist(send, attempts - 1);
  }
};

/**
 * Sends requests straight to a Worker, bypassing the proxy that wrangler puts in front of it, which costs more than all
 * the rest. Nothing is compressed.
 *
 * The Worker may refuse a large body before all of it has arrived. That breaks the connection, which other requests
 * must not share, and sometimes loses the answer. Then the request is sent again, unless its body is a stream.
 */
export const workerFetch =
  (server: Server, worker: WorkerHandle<Env>): WorkerFetch =>
  (input, init = {}) => {
    const sent = { ...init, headers: { "accept-encoding": "identity", ...init.headers } };
    if (isSmall(init.body)) return worker.fetch(input, sent);
    return insist(() => server.fetch(input, sent), init.body instanceof ReadableStream ? 1 : ATTEMPTS);
  };
