const collapsed = (text: string): string => text.trim().replace(/\s+/g, " ");

/** Tells whether two texts look the same on a page, which shows any white space as one space. */
export const isSameText = (one: string, other: string): boolean => collapsed(one) === collapsed(other);
