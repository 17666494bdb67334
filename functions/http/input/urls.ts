import * as z from "zod";
import { trimEnd } from "../../core/trim-end.ts";
import { text } from "./fields.ts";

/** Limits a URL to what every browser and server takes. */
export const MAX_URL = 2_048;

/** Limits a host name (RFC 1035). */
export const MAX_HOST = 253;

/** Checks an http or https URL. */
export const webUrl = () =>
  text(MAX_URL).pipe(z.url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true }));

/** Matches names that mean something else on every network (RFC 6761, RFC 8375 and common practice). */
const PRIVATE_SUFFIX = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** Tells an address: IPv6 keeps its brackets, and IPv4, however it is written, ends in digits once it is parsed. */
const isAddress = (host: string): boolean =>
  host.startsWith("[") || /^\d+$/.test(host.slice(host.lastIndexOf(".") + 1));

/** Tells if the public internet can know a host name: it is no address and no name of a private network. */
export const isPublicHost = (hostname: string): boolean => {
  const host = trimEnd(hostname, ".");
  return host.includes(".") && !isAddress(host) && !PRIVATE_SUFFIX.test(host);
};

/** Tells if a text is an https URL of a public host, without user or password. */
export const isPublicUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return protocol === "https:" && isPublicHost(hostname) && username === "" && password === "";
};

/** Checks a URL that a customer's browser may be sent to. */
export const publicUrl = () => text(MAX_URL).refine(isPublicUrl, "must be an https URL of a public host");
