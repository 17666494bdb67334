import type { Page } from "../../../db/core/paging.ts";

/** Wraps a part of a list as every list is answered (API.md, "Lists"). */
export const listAnswer = <Row>({ rows, total }: { rows: Row[]; total: number }, { skip, take }: Page) => ({
  success: true as const,
  data: rows,
  pagination: { total, skip, take, hasMore: skip + rows.length < total },
});
