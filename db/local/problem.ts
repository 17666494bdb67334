/** Reports a problem that the person who started the program can solve. Only its message is shown, without a stack. */
export class Problem extends Error {
  override name = "Problem";
}

/** Formats an error that ends the program: one line for a {@link Problem}, the stack for a defect. */
export const explain = (error: unknown): string => {
  if (error instanceof Problem) return `lanyap: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
