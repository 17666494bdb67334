import type { createTestHarness, WorkerHandle } from "wrangler";

type Server = ReturnType<typeof createTestHarness>;
type Input = Parameters<Server["fetch"]>[0];
type Answer = Awaited<ReturnType<Server["fetch"]>>;
export type RequestInit = Omit<NonNullable<Parameters<Server["fetch"]>[1]>, "headers"> & {
  headers?: Record<string, string>;
};
export type WorkerFetch = (input: Input, init?: RequestInit) => Promise<Answer>;

/** Less than what the runtime reads of a body that nobody wants, so that its connection can go on. */
const DRAINED_BYTES = 32_768;
const ATTEMPTS = 5;

const isSmall = (body: unknown): boolean =>
  typeof body === "string" || body instanceof Uint8Array ? body.length <= DRAINED_BYTES : !body;

/** Sends a request again when its answer was lost with its connection. */
const insist = async (send: () => Promise<Answer>, attempts: number): Promise<Answer> => {
  try {
    const answer = await send();
    await answer.clone().arrayBuffer();
    return answer;
  } catch (error) {
    if (attempts === 1) throw error;
    return insist(send, attempts - 1);
  }
};

/**
 * Asks a Worker without the proxy that wrangler puts before it, which costs more than the rest of the way, and without
 * the compression that Cloudflare does. A large body may be refused before its end: that breaks its connection, which
 * must not be one that other requests are on, and sometimes the answer; only a stream cannot be sent again.
 */
export const workerFetch =
  (server: Server, worker: WorkerHandle<Env>): WorkerFetch =>
  (input, init = {}) => {
    const sent = { ...init, headers: { "accept-encoding": "identity", ...init.headers } };
    if (isSmall(init.body)) return worker.fetch(input, sent);
    return insist(() => server.fetch(input, sent), init.body instanceof ReadableStream ? 1 : ATTEMPTS);
  };
