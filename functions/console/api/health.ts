import { LanyapError, type DeepHealth } from "#client";
import { api } from "./client.ts";

/** Holds the health of the service. Values from a part that failed are null. */
export type Health = Partial<DeepHealth> & Pick<DeepHealth, "status"> & { settings?: string[] };

/**
 * Asks for the health of the service. The answer has the same form when something fails, with another status.
 *
 * @throws {LanyapError} if the service cannot be reached, or answers something else
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
