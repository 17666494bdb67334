import { NO_FILL_REASONS } from "../decision/decide.ts";
import { ACCESS } from "../http/credentials/auth.ts";
import type { Operation } from "./operations/operation.ts";
import type { Walked } from "./walk.ts";

/** Names what is described, and where it is. */
export const INFO = {
  info: {
    title: "Lanyap",
    version: "1.0.0",
    summary: "Offers for a shop's customers after their purchase",
    description:
      "A page asks for offers with a public key and reports what becomes of them. Publishers, platforms and the " +
      "administrator manage everything else, each with a token of their own.\n\n" +
      "Times are ISO 8601 in UTC with milliseconds. Money is US dollars, and where a name ends in `Micros`, micro-dollars: " +
      "500000 is 0.50 USD. Amounts of orders and conversions are in their own currency. In answers to management calls, a " +
      "member without a value is null. Answers may gain members; ignore those that you do not know.\n\n" +
      "Anything in a management request that is not described here is refused by name. It is ignored where publishers and " +
      "sites are created, read, listed, changed, switched and deleted, and where a publisher lists its own tokens: mind the " +
      "spelling there.\n\n" +
      "The examples work with the demo network, which `npm start` makes. It has no creatives until you add some.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/", description: "The service that this description comes from" }],
};

const bearer = (description: string) => ({ type: "http", scheme: "bearer", description });

/** Describes the credentials, each kind by itself. */
export const SECURITY_SCHEMES = {
  publicKey: bearer("A public key, `lan_pk_…`, which a shop's page contains. It is not secret."),
  publicKeyParameter: {
    type: "apiKey",
    in: "query",
    name: "publicKey",
    description: "The public key as a parameter, which spares browsers a preflight.",
  },
  publisherToken: bearer("A publisher's private token, `lan_sk_…`. One with `access: READ` may only read."),
  platformToken: bearer("A platform's token, `lan_plat_…`."),
  administratorToken: bearer("The token of whoever runs the network."),
  conversionSecret: bearer("An advertiser's conversion secret, `lan_cs_…`."),
  conversionSecretParameter: {
    type: "apiKey",
    in: "query",
    name: "secret",
    description:
      "The conversion secret in the URL of an image on a page, where everybody can read it. Use the pixel key instead.",
  },
  pixelKey: {
    type: "apiKey",
    in: "query",
    name: "pixelKey",
    description:
      "An advertiser's pixel key, `lan_px_…`, which a page contains. It can report conversions and nothing else.",
  },
};

const SCHEMES = { publisher: "publisherToken", platform: "platformToken", admin: "administratorToken" } as const;

type Requirement = Record<string, never[]>;
const any = (...names: (keyof typeof SECURITY_SCHEMES)[]): Requirement[] => names.map((name) => ({ [name]: [] }));

/** Lists the credentials that open an operation, any one of which is enough; none if it is open to all. */
export const securityOf = ({ access, method }: Walked, operation: Operation): Requirement[] => {
  if (access === "advertiser") {
    return method === "GET"
      ? any("conversionSecret", "pixelKey", "conversionSecretParameter")
      : any("conversionSecret");
  }
  if (access !== null) return any(...ACCESS[access].map((kind) => SCHEMES[kind]));
  return operation.access === "page" ? any("publicKey", "publicKeyParameter") : [];
};

const header = (description: string, schema: object) => ({ description, schema });

/** Describes the headers of answers. */
export const HEADERS = {
  RequestId: header("Names the request in logs: the caller's own id, or a new one.", { type: "string" }),
  DryRun: header("`true` where nothing was written, because `dryRun` asked for that.", { type: "string" }),
  Tag: header(
    "The version of what is answered. Send it back in `If-Match` with a change, or in `If-None-Match` with `GET /`.",
    { type: "string" },
  ),
  Replayed: header("`true` where this answer was given before, to the same `Idempotency-Key`.", { type: "string" }),
  RateLimitLimit: header("Calls allowed per minute.", { type: "integer" }),
  RateLimitRemaining: header("Calls left in this minute.", { type: "integer" }),
  RateLimitReset: header("When the minute ends.", { type: "string", format: "date-time" }),
  RetryAfter: header("Seconds to wait before calling again.", { type: "integer" }),
  NoFillReason: header(
    `Why an answer has no offers; sent only with such answers. One of ${NO_FILL_REASONS.map((reason) => `\`${reason}\``).join(", ")}; there may be more.`,
    { type: "string" },
  ),
  Location: header("Where the customer is sent.", { type: "string", format: "uri" }),
  File: header("Makes browsers save the answer as a file with a name; sent with CSV and lines of JSON.", {
    type: "string",
  }),
};

/** Names headers that only some operations have, and where they are described. */
export const OWN_HEADERS = {
  ETag: "Tag",
  "Retry-After": "RetryAfter",
  "x-no-fill-reason": "NoFillReason",
  Location: "Location",
  "Content-Disposition": "File",
} as const satisfies Record<string, keyof typeof HEADERS>;
