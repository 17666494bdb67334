import { ActivePlacementsError, NotFoundError } from "../../core/errors.ts";

/** Holds the result of deleting a publisher or a site; `active` counts the placements that prevented it. */
export type DeletedRow = { found: boolean; active: number };

/**
 * Makes sure that a deletion happened.
 *
 * @throws {NotFoundError} when there was nothing to delete
 * @throws {ActivePlacementsError} when placements are active
 */
export const requireDeleted = (
  resource: "Publisher" | "Site",
  id: string,
  { rows: [row] }: { rows: DeletedRow[] },
): void => {
  if (!row?.found) throw new NotFoundError(resource, id);
  if (row.active > 0) throw new ActivePlacementsError(row.active);
};
