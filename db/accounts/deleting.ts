import { ActivePlacementsError, NotFoundError } from "../core/errors.ts";
import type { DocumentKey } from "../documents/keys.ts";
import type { Changed } from "../documents/outdate.ts";

/** Holds what the deletion of a publisher or a site answered; `active` placements kept it from happening. */
export type DeletedRow = { found: boolean; active: number; documents: DocumentKey[] };

/**
 * Reads what a deletion answered.
 *
 * @throws {NotFoundError} when there was nothing to delete
 * @throws {ActivePlacementsError} when placements are active
 */
export const deletedBy = (
  resource: "Publisher" | "Site",
  id: string,
  { rows: [row] }: { rows: DeletedRow[] },
): Changed<null> => {
  if (!row?.found) throw new NotFoundError(resource, id);
  if (row.active > 0) throw new ActivePlacementsError(row.active);
  return { value: null, outdated: row.documents };
};
