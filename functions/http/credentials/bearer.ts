import type { Context } from "hono";

/**
 * Reads the credential of the `Authorization` header.
 *
 * @returns undefined without the header, null when it has another form than `Bearer <token>`
 */
export const bearerOf = (c: Context): string | null | undefined => {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null;
};
