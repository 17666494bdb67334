import type { Platform } from "#client";
import { useReadAll, type Read } from "./use.ts";

/**
 * Reads all platforms whose names contain a text, since the service cannot search them. Only the administrator sees
 * them; nothing is read until they are asked for.
 */
export const usePlatforms = (search: string, isAsked = true): Read<Platform[]> => {
  const read = useReadAll(isAsked ? "listPlatforms" : null);
  const part = search.toLowerCase();
  return { ...read, data: read.data?.filter(({ name }) => name.toLowerCase().includes(part)) ?? null };
};
