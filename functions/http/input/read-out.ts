import { factory } from "../factory.ts";

/** Limits how much is read of a body that nobody wants, in bytes, and for how long, in milliseconds. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 10_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Makes a body of what a reader reads, no sooner than it is asked for. */
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

/** Makes the request that handlers get in place of one whose body a reader has. */
const withBodyOf = (raw: Request, reader: Reader): Request => {
  const { method, url, headers } = raw;
  // A body of these means nothing (RFC 9110), and no Request can be made with one.
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  return new Request(raw, { method, body: bodyOf(reader) });
};

/**
 * Reads the body of a request to its end, also where it was answered without it, such as one that is too large or whose token
 * has ended. Else the connection is cut while the client still sends, and it never learns why it was refused.
 */
export const readOut = factory.createMiddleware(async (c, next) => {
  const { raw } = c.req;
  if (!raw.body) return next();
  // What limits a body never lets go of the one that it is given.
  const reader = raw.body.getReader();
  c.req.raw = withBodyOf(raw, reader);
  await next();
  return finish(reader);
});
