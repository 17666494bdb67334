import * as z from "zod";
import { trimEnd } from "../../core/trim-end.ts";
import { text } from "./fields.ts";

/** Limits a URL to what every browser and server takes. */
export const MAX_URL = 2_048;

/** Limits a host name (RFC 1035). */
export const MAX_HOST = 253;

/** Matches names that mean something else on every network (RFC 6761, RFC 8375 and common practice). */
const PRIVATE_SUFFIX = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Tells whether a host is an IPv4 address, which ends in digits once parsed, however it was written. IPv6 has no dot
 * then.
 */
const isAddress = (host: string): boolean => /^\d+$/.test(host.slice(host.lastIndexOf(".") + 1));

/** Tells whether a host name can be public: it is neither an address nor a name of a private network. */
export const isPublicHost = (hostname: string): boolean => {
  const host = trimEnd(hostname, ".");
  return host.includes(".") && !isAddress(host) && !PRIVATE_SUFFIX.test(host);
};

/**
 * Reads a URL as browsers do, so that what is stored is what they will use. Macros such as `{click_id}` stay as they
 * are, though the parser would escape their braces.
 *
 * @returns null if the text is not a URL
 */
const parse = (value: string): { href: string; url: URL } | null => {
  // Braces that were already escaped get lower-case letters, to tell them from those that the parser escapes, and a
  // digit for the case that they had. The parser drops line breaks and tabs, which may stand within an escape.
  const marked = value
    .replaceAll(/[\t\n\r]/g, "")
    .replaceAll(/%7[BD]/gi, (escaped) => escaped.toLowerCase() + (/[BD]/.test(escaped) ? 1 : 0));
  if (!URL.canParse(marked)) return null;
  const url = new URL(marked);
  const href = url.href
    .replaceAll("%7B", "{")
    .replaceAll("%7D", "}")
    .replaceAll(/(%7[bd])([01])/g, (_, escaped: string, capital) =>
      capital === "1" ? escaped.toUpperCase() : escaped,
    );
  return { href, url };
};

const IN_FRONT = "must not have a user, a password or a macro before its path";

/** Describes the service's own paths: how they begin, which ones exist, and what to say about any other. */
type OwnPaths = { start: string; paths: readonly string[]; problem: string };

/**
 * Checks a URL and replaces it by what browsers make of it.
 *
 * @param isAllowed judges protocol and host
 * @param problem says what is wanted
 * @param own paths that may come in place of a URL, and are taken as they are
 */
const checkedUrl = (isAllowed: (url: URL) => boolean, problem: string, own?: OwnPaths) =>
  text(MAX_URL).transform((value, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message, fatal: true });
      return z.NEVER;
    };
    if (own && value.startsWith(own.start)) return own.paths.includes(value) ? value : refuse(own.problem);
    const parsed = parse(value);
    if (!parsed) return refuse(problem);
    const { href, url } = parsed;
    if (url.username !== "" || url.password !== "" || /[{}]/.test(url.host)) return refuse(IN_FRONT);
    if (!isAllowed(url)) return refuse(problem);
    return href.length > MAX_URL ? refuse(`must have at most ${MAX_URL} characters, escaped as browsers do`) : href;
  });

/** Checks an http or https URL. */
export const webUrl = () => checkedUrl(({ protocol }) => /^https?:$/.test(protocol), "must be an http or https URL");

/**
 * Checks a URL that a customer's browser may be sent to.
 *
 * @param own paths that may come in place of a URL
 */
export const publicUrl = (own?: OwnPaths) =>
  checkedUrl(
    ({ protocol, hostname }) => protocol === "https:" && isPublicHost(hostname),
    "must be an https URL of a public host",
    own,
  );
