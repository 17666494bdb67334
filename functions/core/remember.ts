/** Longer texts than any that come again. */
const MAX_LENGTH = 100;

/** A text of its own: as part of a longer one, such as a request's URL, it would keep all of that in memory. */
const copy = (text: string): string => ` ${text}`.slice(1);

/**
 * A function that remembers its last values, for texts that come again and again: requests name few placements, keys
 * and countries. When it knows `limit` texts it starts anew, so that garbage passes.
 *
 * @param make the same for equal texts
 */
export const remembering = <T extends object | string | number | boolean>(
  limit: number,
  make: (text: string) => T,
): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    if (text.length > MAX_LENGTH) return make(text);
    if (known.size >= limit) known.clear();
    const own = copy(text);
    const made = make(own);
    known.set(own, made);
    return made;
  };
};
