import { languageOf } from "../service/language.ts";
import { isAmount, isCount, parameterOf, USUAL_COUNT, type LanyapError, type Options } from "../service/options.ts";
import type { Warn } from "../service/rare.ts";
import { unknownNames } from "./names.ts";

type Finding = [name: string, text: string];

/** Names an option in the form in which it was written: as an attribute of an element, or in code. */
const namer =
  ({ source }: Options) =>
  (name: string): string =>
    source ? `data-${name.replace(".", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` : name;

const given = (value: unknown): string => JSON.stringify(String(value).slice(0, 50));

/** Returns the API's form of an attribute's name. */
const writtenName = (attribute: string): string => `at.${attribute.replace(/^at\./i, "").toLowerCase()}`;

/** Returns the name under which the options have a parameter, which may be another than the service's. */
const givenName = (field: string, { attributes }: Options): string => {
  const key = Object.keys(attributes ?? {}).find((name) => parameterOf(name) === field);
  return key ? writtenName(key) : field;
};

const keyProblem = (key: string): string | null => {
  if (!key) return "is missing";
  if (/^lan_(?!pk_)/.test(key)) return "is a private key: take it out of the page, and revoke it";
  return /^lan_pk_\w{49}$/.test(key) ? null : "is no public key: those begin with lan_pk_, and are to be copied whole";
};

const placementProblem = (id: string): string | null => {
  if (!id) return "is missing";
  return /^plc_[0-9a-z]{26}$/.test(id)
    ? null
    : "is no placement's id: those begin with plc_, and are to be copied whole";
};

/** Lists the values that are missing or malformed. */
const wrongValues = (options: Options): Finding[] => {
  const { publicKey, placementId, count, locale, timeout, attributes } = options;
  const found: [string, string | null][] = [
    ["publicKey", keyProblem(publicKey || "")],
    ["placementId", placementProblem(placementId || "")],
  ];
  if (!isCount(Number(count ?? USUAL_COUNT))) {
    found.push(["count", `is not sent: it must be an integer of at least 1, not ${given(count)}`]);
  }
  if (locale && !languageOf(locale)) {
    found.push(["locale", `must be a language tag such as en or de-AT, not ${given(locale)}`]);
  }
  // Browsers treat any other time as 0, so that the request fails at once.
  if (timeout !== undefined && !(timeout >= 1 && timeout < 2 ** 31)) {
    found.push(["timeout", `must be a number of milliseconds from 1 to ${2 ** 31 - 1}, not ${given(timeout)}`]);
  }
  for (const [key, value] of Object.entries(attributes ?? {})) {
    const text = String(value ?? "").trim();
    if (parameterOf(key) === "at.amount" && text && !isAmount(text)) {
      found.push([writtenName(key), `must be a number from 0 to 1000000, with a point, not ${given(value)}`]);
    }
  }
  return found.filter((finding): finding is Finding => finding[1] !== null);
};

type Details = { missingFields?: string[]; invalidFields?: { field: string; message: string }[] };

/** Says what an error means, with the option that caused it, if there is one. */
const meaningOf = ({ code, message, details }: LanyapError, options: Options): Finding[] => {
  const { missingFields = [], invalidFields = [] } = (details ?? {}) as Details;
  if (code === "OPTIONS") return [];
  if (code === "CONTAINER") return [["container", `finds nothing in the page: ${given(options.container)}`]];
  if (code === "UNAUTHORIZED") return [["publicKey", "is not valid at this service"]];
  if (code === "NOT_FOUND") return [["placementId", "is not a placement of this public key's publisher"]];
  const lacking = missingFields.includes("at.orderid") ? [["at.orderid", "or an e-mail is missing"] as Finding] : [];
  const refused = invalidFields.map(({ field, message: rule }): Finding => [givenName(field, options), rule]);
  const found = [...lacking, ...refused];
  return found.length > 0 ? found : [["", message]];
};

const told = new Set<string>();

/**
 * Writes to the console what is wrong with options, once per page for each name.
 *
 * @param error why a request with these options failed, if it did
 */
export const warn: Warn = (options, error) => {
  const nameOf = namer(options);
  const named = [...wrongValues(options), ...(error ? meaningOf(error, options) : [])];
  const found = named.map(([name, text]): Finding => (name ? [nameOf(name), text] : [text, ""]));
  if (options.source) found.unshift(...unknownNames(options.source.getAttributeNames()));
  for (const [name, text] of found) {
    if (!told.has(name)) console.warn(`Lanyap: ${name} ${text}`.trim());
    told.add(name);
  }
};
