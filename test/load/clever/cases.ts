/**
 * Describes a fast way of doing something and the plain one. Both take the number of the call, so that no two calls
 * need do the same, and return something of their result.
 */
export type Case = {
  /** Names the module that does it the fast way. */
  module: string;
  /** Says what both ways do. */
  what: string;
  /** Counts the calls that an answer from memory makes, on average. */
  calls: number;
  fast: (n: number) => unknown;
  plain: (n: number) => unknown;
};

/** Describes a case without its code, as the bench's Worker lists it. */
export type Listed = Pick<Case, "module" | "what" | "calls">;
