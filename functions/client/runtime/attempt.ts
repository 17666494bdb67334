import { errorOf, LanyapError } from "./error.ts";
import type { Answer, ClientOptions } from "./options.ts";

/** Describes one request as it is sent. */
export type Attempt = {
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

/** Reads a body by its type. Lines of JSON become a list. */
const read = (text: string, type: string): unknown => {
  if (type.includes("ndjson")) return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return type.includes("json") ? JSON.parse(text) : text;
};

const bodyOf = (text: string, type: string): unknown => {
  try {
    return read(text, type);
  } catch {
    return text;
  }
};

const answerOf = (response: Response, text: string, accept: string): Answer<Record<string, unknown>> => {
  const { status, headers, ok } = response;
  const type = headers.get("content-type") ?? "";
  const body = bodyOf(text, type);
  const isText = typeof body === "string";
  if (!ok || !type.includes(accept) || (isText && accept !== "text/csv")) throw errorOf(response, body);
  const { success, ...members } = isText ? {} : (body as Record<string, unknown>);
  const received = { status, headers, etag: headers.get("etag"), requestId: headers.get("x-request-id") };
  return success === true ? { ...members, ...received } : { data: body, ...received };
};

/**
 * Sends a request once, and reads its answer whole within its time.
 *
 * @throws {LanyapError} for every answer that is not a success, and if none came
 * @throws the reason of `signal` when that ends it
 */
export const attempt = async (
  { fetch: send = (url, init) => fetch(url, init) }: ClientOptions,
  { url, init, timeoutMs, signal }: Attempt,
): Promise<Answer<Record<string, unknown>>> => {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener("abort", end);
  try {
    const response = await send(url, { ...init, signal: ended.signal });
    return answerOf(response, await response.text(), init.headers["Accept"] ?? "");
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LanyapError) throw error;
    throw ended.signal.aborted
      ? new LanyapError("TIMEOUT", `The service did not answer within ${timeoutMs} ms`, { cause: error })
      : new LanyapError("UNREACHABLE", "The service cannot be reached", { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
};
