const collapsed = (text: string): string => text.trim().replace(/\s+/g, " ");

/** Tells whether two texts look the same on a page, which shows any white space as one space. */
export const isSameText = (one: string, other: string): boolean => collapsed(one) === collapsed(other);

/** Sorts the members of an object by their names. */
const ordered = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Tells whether two values are the same as JSON, whatever the order of their members. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, ordered) === JSON.stringify(other, ordered);
