import { LanyapError, type DeepHealth } from "#client";
import { api } from "./client.ts";

/** Holds how the service is. What comes from a part that failed is null. */
export type Health = Partial<DeepHealth> & Pick<DeepHealth, "status"> & { settings?: string[] };

/**
 * Asks how the service is. It tells the same when something fails, with another status.
 *
 * @throws {LanyapError} where the service cannot be reached, or answers something else
 */
export const readHealth = async (signal: AbortSignal): Promise<Health> => {
  try {
    return (await api.getHealth({ deep: "1", signal })).data;
  } catch (error) {
    const told = error instanceof LanyapError && error.status === 503 ? (error.details as Health | null) : null;
    if (told?.status === "failed") return told;
    throw error;
  }
};
