/** Holds the answer to send, which the bundler puts here. */
declare const BODY: string;
declare const HEADERS: Record<string, string>;

/** Does the least that a Worker can: it sends the same bytes for every request. */
export default {
  fetch: (): Response => new Response(BODY, { headers: HEADERS }),
};
