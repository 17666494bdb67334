/** Limits the length of remembered texts. Longer ones are unlikely to come again. */
const MAX_LENGTH = 100;

/** Copies a text. A slice of a longer text, such as a request's URL, would keep all of it in memory. */
const copy = (text: string): string => ` ${text}`.slice(1);

/**
 * Returns a function that remembers its values. It suits texts that come again and again: requests name few placements,
 * keys and countries. When it remembers `limit` texts it forgets them all, so that garbage does not stay.
 *
 * @param make returns the value of a text, always the same for equal texts
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
