import { callOf, exampleBody, exampleOf, exampleParameters, type Exemplified } from "../../client/calls.ts";

/** Describes an operation, as far as its examples need. */
export type Operation = Exemplified & {
  security?: readonly Readonly<Record<string, unknown>>[];
  responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
};

/** Holds what examples are made from: an operation with its path, the service, and credentials by their schemes. */
export type Shown = {
  operation: Operation;
  method: string;
  path: string;
  url: string;
  tokens: Readonly<Record<string, string>>;
};

/** Stands for credentials, by the schemes of the description. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  publicKey: "lan_pk_…",
  publisherToken: "lan_sk_…",
  platformToken: "lan_plat_…",
  administratorToken: "…",
  conversionSecret: "lan_cs_…",
};

/** Names the member of an offer for each operation that a customer's browser calls. */
const TRACKING: Readonly<Record<string, string>> = {
  "/vdata": "beaconUrl",
  "/close": "closeUrl",
  "/click": "clickUrl",
};

const tokenFor = ({ operation, tokens }: Shown): string | null => {
  const [scheme] = Object.keys(operation.security?.[0] ?? {});
  return scheme === undefined ? null : (tokens[scheme] ?? PLACEHOLDERS[scheme] ?? "…");
};

/** Writes a text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns an example of an operation for a shell. */
export const curlOf = (shown: Shown): string => {
  const { operation, method, path, url } = shown;
  const ids = new Map(exampleParameters(operation, "path").map((one) => [one.name, String(exampleOf(one))]));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? "…");
  const query = exampleParameters(operation, "query").map((one) => `${one.name}=${String(exampleOf(one))}`);
  const body = exampleBody(operation);
  const token = tokenFor(shown);
  const isPage = Object.hasOwn(operation.responses["200"]?.content ?? {}, "text/html");
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quoted(`${url}${address}${query.length > 0 ? `?${query.join("&")}` : ""}`)}`,
    ...(token === null ? [] : [`-H ${quoted(`Authorization: Bearer ${token}`)}`]),
    ...(isPage ? ["-H 'Accept: application/json'"] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ");
};

/**
 * Returns an example of an operation for the typed client. For what a customer's browser calls, it shows the URL in an
 * answer.
 */
export const clientOf = (shown: Shown, offers: Shown): string => {
  const tracking = TRACKING[shown.path];
  const { operation, method, url } = tracking === undefined ? shown : offers;
  const token = tokenFor(tracking === undefined ? shown : offers);
  const options = [`url: ${JSON.stringify(url)}`, ...(token === null ? [] : [`token: ${JSON.stringify(token)}`])];
  return [
    'import { createClient } from "lanyap-client";',
    "",
    `const lanyap = createClient({ ${options.join(", ")} });`,
    `${method === "delete" ? "" : "const { data } = "}await ${callOf(operation)};`,
    ...(tracking === undefined
      ? []
      : [
          "const [offer] = data.offers;",
          "// The customer's browser calls it.",
          `if (offer) console.log(offer.${tracking});`,
        ]),
  ].join("\n");
};
