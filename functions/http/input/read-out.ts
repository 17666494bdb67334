import { factory } from "../factory.ts";

/** Limits how much is read of a body that nobody wants, in bytes, and for how long, in milliseconds. */
const MOST_BYTES = 16 * 1024 * 1024;
const LONGEST_MS = 10_000;

/**
 * Reads out the body of a request that was answered without it, such as one that is too large or whose token has ended.
 * Else the connection is cut while the client still sends, and it never learns why it was refused.
 */
export const readOut = factory.createMiddleware(async (c, next) => {
  await next();
  const { body } = c.req.raw;
  if (!body || body.locked || c.req.raw.bodyUsed) return;
  let left = MOST_BYTES;
  const nowhere = new WritableStream<Uint8Array>({
    write: ({ byteLength }) => {
      left -= byteLength;
      if (left < 0) throw new RangeError("more than is read out");
    },
  });
  await body.pipeTo(nowhere, { signal: AbortSignal.timeout(LONGEST_MS) }).catch(() => undefined);
});
