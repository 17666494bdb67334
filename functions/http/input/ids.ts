import { NotFoundError, type Resource } from "../../../db/core/errors.ts";
import { isId, type Entity } from "../../../db/core/ids.ts";

const ENTITIES = {
  Platform: "platform",
  Publisher: "publisher",
  Site: "site",
  Placement: "placement",
  Advertiser: "advertiser",
  Offer: "offer",
  Creative: "creative",
  Token: "token",
} as const satisfies Partial<Record<Resource, Entity>>;

/**
 * Takes an id from a path.
 *
 * @throws {NotFoundError} when it is malformed: then nothing can have it
 */
export const pathId = (resource: keyof typeof ENTITIES, id: string): string => {
  if (!isId(ENTITIES[resource], id)) throw new NotFoundError(resource, id);
  return id;
};
