import type { Platform } from "#client";
import { useReadAll, type Read } from "./use.ts";

/**
 * Reads all platforms whose names have what is searched for, which the service does not search. Only the administrator sees
 * them; nothing is read while they are not asked for.
 */
export const usePlatforms = (search: string, isAsked = true): Read<Platform[]> => {
  const read = useReadAll(isAsked ? "listPlatforms" : null);
  const part = search.toLowerCase();
  return { ...read, data: read.data?.filter(({ name }) => name.toLowerCase().includes(part)) ?? null };
};
