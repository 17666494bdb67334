import { isLoopback } from "../core/loopback.ts";
import { Problem } from "./problem.ts";

const MALFORMED =
  "DATABASE_URL is not a valid URL; write postgres://user:password@host:5432/database, with special characters percent-encoded.";

/**
 * Parses a DATABASE_URL.
 *
 * @throws {Problem} when it is not the URL of a Postgres. The message never repeats the URL, which holds a password.
 */
export const parsePostgresUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isDecodable(url)) throw new Problem(MALFORMED);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") {
    throw new Problem(`DATABASE_URL must begin with postgres:// or postgresql://, not ${url.protocol}//.`);
  }
  // Such an @ comes after a password that has a # or / and begins with a number: its rest would be shown as the
  // database.
  if ((url.pathname + url.hash).includes("@")) throw new Problem(MALFORMED);
  return url;
};

/** Tells whether a Postgres is at Neon, which the Worker reaches without the local endpoint. */
export const isNeon = (url: URL): boolean => url.hostname.endsWith(".neon.tech");

/** Returns the host that a URL leads to: a parameter wins over the URL's own. */
const hostOf = (url: URL): string => url.searchParams.get("host") || decodeURIComponent(url.hostname);

/** Tells whether a Postgres is on another machine. A path is a local socket. */
export const isRemote = (url: URL): boolean => {
  const host = hostOf(url);
  return !(host === "" || host.startsWith("/") || isLoopback(host) || host === "::1");
};

/** Returns the host, port and database that a URL leads to, which are safe to display. */
export const describeUrl = (url: URL): string =>
  `${hostOf(url)}:${url.searchParams.get("port") || url.port || "5432"}${url.pathname}`;

/**
 * Writes a connection string for pg. A blank in it is encoded: otherwise pg would encode again what is encoded already,
 * even in a password. TLS modes that pg treats as `verify-full` get that name, since pg warns about every other
 * spelling; modes that the URL asks to read as libpq does stay.
 */
export const forPg = (connectionString: string): string => {
  const { href, searchParams } = parsePostgresUrl(connectionString);
  if (searchParams.get("uselibpqcompat") === "true") return href;
  return href.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
};

/** Describes a failed first connection in one line that names server and cause, and never the password. */
export const connectionProblem = (connectionString: string, error: unknown): Problem => {
  const where = describeUrl(parsePostgresUrl(connectionString));
  return new Problem(`cannot connect to the Postgres of DATABASE_URL (${where}): ${causeOf(error)}.`);
};

const causes: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host name cannot be resolved",
  ETIMEDOUT: "the server does not answer",
  ECONNRESET: "the server closed the connection",
};

/** Matches what pg, or the server, says about a missing password. */
const NO_PASSWORD = /client password must be a (?:non-empty )?string|^empty password returned by client/;

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown cause";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (NO_PASSWORD.test(error.message)) return "the server asks for a password, and the URL has none";
  return causes[code] ?? (error.message || code || "unknown cause");
};

const isDecodable = (url: URL): boolean => {
  try {
    [url.username, url.password, url.hostname, url.pathname].forEach(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
};
