import type { ClientOptions } from "../../functions/client/runtime/options.ts";
import { clientOf } from "./client.ts";
import { startLossyProxy } from "./faults/lossy-proxy.ts";
import type { Harness } from "./harness.ts";

/**
 * Makes clients of a service behind a proxy that loses requests and answers. Clients note how long they would wait, and
 * do not wait. Answers may take longer than a slow machine needs.
 */
export const startLossyClient = async (h: Harness) => {
  const proxy = await startLossyProxy(h.url);
  const waits: number[] = [];
  return {
    proxy,
    waits,
    client: (token: string, options: Partial<ClientOptions> = {}) =>
      clientOf({
        url: proxy.url,
        token,
        timeoutMs: 120_000,
        wait: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
        ...options,
      }),
    /** Forgets what an earlier test has left. */
    forget: () => {
      for (const list of [waits, proxy.seen, proxy.fates]) list.length = 0;
    },
  };
};

export type LossyClient = Awaited<ReturnType<typeof startLossyClient>>;

/** Returns the error of a call that fails. */
export const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no failure",
    (error: unknown) => error,
  );

/** Makes the body of an error as the service wraps it. */
export const wrappedError = (code: string, details?: unknown) => ({
  success: false,
  error: { code, message: "Later", details },
});
