// Offers are imported and exported as lines of JSON or CSV, one per offer. A CSV line may have line breaks within
// quotes.

/** Splits CSV into its lines, each with its end; a line break within quotes does not end a line. */
export const recordsOf = (text: string): string[] => {
  const records: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== "\n" || isQuoted) continue;
    records.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) records.push(text.slice(from));
  return records;
};

/**
 * Reads all lines of something that comes in parts. Each further part begins with the last line of the one before; if
 * it does not, something moved meanwhile, and a line may be missing.
 *
 * @param most the most lines that a part has
 * @returns all lines, or null where they moved
 */
export const readParts = async (
  read: (skip: number) => Promise<readonly string[]>,
  most: number,
): Promise<string[] | null> => {
  const lines = [...(await read(0))];
  let size = lines.length;
  while (size === most) {
    const part = await read(lines.length - 1);
    if (part[0] !== lines.at(-1)) return null;
    for (const line of part.slice(1)) lines.push(line);
    size = part.length;
  }
  return lines;
};
