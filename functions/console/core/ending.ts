import { count } from "./format.ts";

/**
 * Says how many changes were made in the end: all, or those before somebody stopped them, and how many were refused.
 */
export const endingOf = (done: number, all: number, refused: number): string => {
  const how = [done < all && "stopped", refused > 0 && `${count(refused)} refused`].filter(Boolean).join(", ");
  return `${count(done)} of ${count(all)}: ${how || "all done"}.`;
};
