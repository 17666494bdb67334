import { factory } from "../factory.ts";

/** Limits how much of an unwanted body is read, in bytes, and for how long, in milliseconds. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 10_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Makes a body from a reader, which reads only when it is asked to. */
const bodyOf = (reader: Reader): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull: async (body) => {
        const { done, value } = await reader.read();
        if (done) body.close();
        else body.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );

/** Reads what is left of a body, within limits. */
const finish = async (reader: Reader): Promise<void> => {
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(stop, LONGEST_MS);
  try {
    for (let read = 0; read <= MOST_BYTES;) {
      const { done, value } = await reader.read();
      if (done) return;
      read += value.byteLength;
    }
    stop();
  } catch {
    // The client has gone, and wants no answer.
  } finally {
    clearTimeout(timer);
  }
};

/** Makes the request that handlers get in place of the one whose body the reader has. */
const withBodyOf = (raw: Request, reader: Reader): Request => {
  const { method, url, headers } = raw;
  // A body means nothing with these methods (RFC 9110), and a Request cannot be made with one.
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  return new Request(raw, { method, body: bodyOf(reader) });
};

/**
 * Reads the body of a request to its end even if the answer did not need it, for example because it is too large or the
 * token has expired. Otherwise the connection is cut while the client still sends, and it never learns why it was
 * refused.
 */
export const readOut = factory.createMiddleware(async (c, next) => {
  const { raw } = c.req;
  if (!raw.body) return next();
  // The body limit never releases the body that it is given.
  const reader = raw.body.getReader();
  c.req.raw = withBodyOf(raw, reader);
  await next();
  return finish(reader);
});
