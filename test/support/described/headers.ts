import { responsesOf } from "../../../functions/description/answers/responses.ts";
import type { Described } from "../../../functions/description/described.ts";

/** Lists headers that say something about an answer itself, not about how it is sent or cached. */
const TELLING = [
  "content-disposition",
  "etag",
  "idempotent-replayed",
  "lanyap-dry-run",
  "location",
  "retry-after",
  "x-no-fill-reason",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
];

type Response = { $ref?: string; headers?: Record<string, unknown> };

const known = new Map<string, Record<number, Set<string>>>();

/** Lists the headers of an operation's answers, by status. */
const headersOf = (described: Described): Record<number, Set<string>> => {
  const { name } = described.route;
  const remembered = known.get(name);
  if (remembered) return remembered;
  const shared: Record<string, Response> = {};
  const responses: Record<string, Response> = responsesOf(described, shared);
  const headers = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { headers: own = {} } = shared[response.$ref?.replace(/^.*\//, "") ?? ""] ?? response;
      return [status, new Set(Object.keys(own).map((header) => header.toLowerCase()))];
    }),
  );
  known.set(name, headers);
  return headers;
};

/** Names a header of an answer that the description of its operation lacks, or null. */
export const strayHeader = (described: Described, status: number, headers: Pick<Headers, "has">): string | null => {
  const own = headersOf(described)[status];
  return TELLING.find((name) => headers.has(name) && own?.has(name) !== true) ?? null;
};
