import type { Context } from "hono";
import type { Page } from "../../db/core/paging.ts";

/** The contract's envelope of a list. */
export const listAnswer = <Row>({ rows, total }: { rows: Row[]; total: number }, { skip, take }: Page) => ({
  success: true as const,
  data: rows,
  pagination: { total, skip, take, hasMore: skip + rows.length < total },
});

/** The address of the caller as the edge saw it. */
export const callerAddress = (c: Context): string | null => c.req.header("cf-connecting-ip") ?? null;
