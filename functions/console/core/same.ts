const collapsed = (text: string): string => text.trim().replace(/\s+/g, " ");

/** Tells whether two texts look the same on a page, which shows any white space as one space. */
export const isSameText = (one: string, other: string): boolean => collapsed(one) === collapsed(other);

/** Tells whether two values are the same as JSON, with their members in the same order. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
