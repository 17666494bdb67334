import { NotFoundError, type Resource } from "../../../db/core/errors.ts";
import { isId, type Entity } from "../../../db/core/ids.ts";

const ENTITIES = {
  Platform: "platform",
  Publisher: "publisher",
  Site: "site",
  Placement: "placement",
  Advertiser: "advertiser",
  Offer: "offer",
  Token: "token",
} as const satisfies Partial<Record<Resource, Entity>>;

/**
 * An id from a path, as it is.
 *
 * @throws {NotFoundError} when it is malformed, which makes it as unknown as any other
 */
export const pathId = (resource: keyof typeof ENTITIES, id: string): string => {
  if (!isId(ENTITIES[resource], id)) throw new NotFoundError(resource, id);
  return id;
};
