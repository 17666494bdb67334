/** Returns a text without those of a character that it ends in. A pattern would look at each run of them anew. */
export const trimEnd = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};
