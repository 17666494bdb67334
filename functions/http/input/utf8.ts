import type { Context } from "hono";
import { invalidInput } from "../errors.ts";

/** Makes the refusal of a body that is no UTF-8. */
export const notUtf8 = (): Error => invalidInput(["body: must be UTF-8"]);

/**
 * Reads a request's body as text. What is no UTF-8 would be read with marks in place of its letters, so that two names become
 * one.
 *
 * @throws what `refusal` makes, where the body is no UTF-8
 */
export const readText = async (c: Context, refusal: () => Error): Promise<string> => {
  const bytes = await c.req.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    throw error instanceof TypeError ? refusal() : error;
  }
};
