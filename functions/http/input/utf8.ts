import type { Context } from "hono";
import { ApiError, invalidInput } from "../errors.ts";

/** Makes the refusal of a body that is not UTF-8. */
export const notUtf8 = (): Error => invalidInput(["body: must be UTF-8"]);

/**
 * Reads a request's body as text. Other encodings than UTF-8 would be read with replacement characters, which could
 * make two names the same.
 *
 * @throws {ApiError} 415 if the body is compressed, and what `refusal` makes if it is not UTF-8
 */
export const readText = async (c: Context, refusal: () => Error): Promise<string> => {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength > 0 && !/^\s*(?:identity\s*)?$/i.test(c.req.header("content-encoding") ?? "")) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      "The request body must not be compressed; send it without Content-Encoding",
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    throw error instanceof TypeError ? refusal() : error;
  }
};
