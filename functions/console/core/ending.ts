import { count } from "./format.ts";

/** Says how many changes were done when they were over: all, up to where somebody stopped them, and what was refused. */
export const endingOf = (done: number, all: number, refused: number): string => {
  const how = [done < all && "stopped", refused > 0 && `${count(refused)} refused`].filter(Boolean).join(", ");
  return `${count(done)} of ${count(all)}: ${how || "all done"}.`;
};
