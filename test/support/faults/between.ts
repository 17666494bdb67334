import type { Harness } from "../harness.ts";

/**
 * Lets something happen in the middle of a request: after one of its round trips to the database has run, while the
 * answer of that is held back. The harness has to be the test's own.
 *
 * @param trip which round trip, from 1
 * @param begin makes the request
 * @returns the answer to the request
 */
export const between = async <T>(
  h: Harness,
  trip: number,
  begin: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> => {
  const { trips } = h.database;
  const before = trips.length;
  const holds = Array.from({ length: trip }, () => Promise.withResolvers<void>());
  let begun: Promise<T> | undefined;
  for (const [i, { promise }] of holds.entries()) {
    h.database.hold = promise;
    holds[i - 1]?.resolve();
    begun ??= begin();
    await h.until(
      async () => [trips.length - before, h.database.held] as const,
      ([made, held]) => made > i && held > 0,
    );
  }
  await meanwhile();
  h.database.hold = null;
  holds.at(-1)?.resolve();
  return (await begun) as T;
};
