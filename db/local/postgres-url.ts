import { Problem } from "./problem.ts";

/**
 * Reads a DATABASE_URL.
 * @throws Problem when it is not the URL of a Postgres; the message never repeats it, for it holds a password
 */
export const parsePostgresUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isDecodable(url)) {
    throw new Problem(
      "DATABASE_URL is not a valid URL; write postgres://user:password@host:5432/database, with special characters percent-encoded.",
    );
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") {
    throw new Problem(`DATABASE_URL must begin with postgres:// or postgresql://, not ${url.protocol}//.`);
  }
  return url;
};

/** Whether a Postgres is Neon's own, which the Worker reaches without help. */
export const isNeon = (url: URL): boolean => {
  return url.hostname.endsWith(".neon.tech");
};

/** Host, port and database of a URL, fit for display. */
export const describeUrl = (url: URL): string => {
  return `${url.hostname}:${url.port || "5432"}${url.pathname}`;
};

/** The URL with its TLS mode as pg takes it: it reads these modes as verify-full, and warns unless they say so. */
export const withStrictTls = (connectionString: string): string => {
  return connectionString.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
};

/** Turns the failure of a first connection into one line that names the server and the cause, never the password. */
export const connectionProblem = (connectionString: string, error: unknown): Problem => {
  const where = describeUrl(parsePostgresUrl(connectionString));
  return new Problem(`cannot connect to the Postgres of DATABASE_URL (${where}): ${causeOf(error)}.`);
};

const causes: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host's name cannot be resolved",
  ETIMEDOUT: "it does not answer",
  ECONNRESET: "it closed the connection",
};

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown cause";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return causes[code] ?? (error.message || code || "unknown cause");
};

const isDecodable = (url: URL): boolean => {
  try {
    [url.username, url.password, url.pathname].forEach(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
};
