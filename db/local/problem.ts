/** Something the person who started the program can mend: shown as its message alone, without a stack. */
export class Problem extends Error {
  override name = "Problem";
}

/** What to print for an error that ends the program: one line for a `Problem`, the stack for a defect. */
export const explain = (error: unknown): string => {
  if (error instanceof Problem) return `lanyap: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
