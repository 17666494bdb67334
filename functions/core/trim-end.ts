/**
 * Returns a text without a character at its end, however often it is there. A pattern would scan each run of it again.
 */
export const trimEnd = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};
