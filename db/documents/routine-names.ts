import { routines } from "./routines.ts";

type Kind = keyof ReturnType<typeof routines>;

/**
 * Names the functions of the database that build documents, by what they build. Others import this as `#routine-names`:
 * in the Worker's bundle, that module has only the names, without the long queries that they are hashed from.
 */
export const ROUTINE_NAMES = Object.fromEntries(
  Object.entries(routines()).map(([kind, { name }]) => [kind, name]),
) as Record<Kind, string>;
