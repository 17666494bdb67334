import type { Page } from "../../../db/core/paging.ts";

/** Wraps a page of a list in the form that all lists have (API.md, "Lists"). */
export const listAnswer = <Row>({ rows, total }: { rows: Row[]; total: number }, { skip, take }: Page) => ({
  success: true as const,
  data: rows,
  pagination: { total, skip, take, hasMore: skip + rows.length < total },
});
