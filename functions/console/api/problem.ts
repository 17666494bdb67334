/** Describes why a call failed, in words, with what a person needs to ask for help. */
export type Problem = Error & {
  /** Holds the answer's status; 0 where there was no answer. */
  status: number;
  code: string;
  requestId: string | null;
  /** Says after how many seconds to try again, where the service said so. */
  retryAfter: number | null;
  details: unknown;
};

type Told = Partial<Omit<Problem, "name" | "message">>;

/** Makes a problem. */
export const problem = (code: string, message: string, told: Told = {}): Problem =>
  Object.assign(new Error(message), { status: 0, requestId: null, retryAfter: null, details: null, ...told, code });

/** Tells whether an error is a {@link problem}. */
export const isProblem = (error: unknown): error is Problem =>
  error instanceof Error && typeof (error as Partial<Problem>).code === "string" && "requestId" in error;

/** Turns whatever was thrown into a problem. */
export const asProblem = (error: unknown): Problem =>
  isProblem(error) ? error : problem("UNEXPECTED", error instanceof Error ? error.message : String(error));

type Body = {
  error?: string | { code?: string; message?: string; details?: unknown };
  code?: string;
  details?: unknown;
};

/** Reads an error in either shape of the API (functions/routes/API.md, "Errors"). */
export const readProblem = (status: number, body: unknown, requestId: string | null, retry: string | null): Problem => {
  const { error, code, details } = (typeof body === "object" && body !== null ? body : {}) as Body;
  const told = { status, requestId, retryAfter: Number(retry) || null };
  if (typeof error === "object") {
    return problem(error.code ?? `HTTP_${status}`, error.message ?? "", { ...told, details: error.details ?? null });
  }
  return problem(code ?? `HTTP_${status}`, error ?? `The service answered ${status}`, {
    ...told,
    details: details ?? null,
  });
};

/** Returns the texts of a refusal that names fields, as `field: message`, by field. */
export const fieldProblems = (found: Problem | null): Record<string, string> => {
  if (!found || !Array.isArray(found.details)) return {};
  const texts = found.details.filter((text): text is string => typeof text === "string" && text.includes(": "));
  return Object.fromEntries(
    texts.map((text) => [text.slice(0, text.indexOf(": ")), text.slice(text.indexOf(": ") + 2)]),
  );
};
