import { text } from "./fields.ts";

const MAX_URL = 2048;

/** Names that mean something else on every network (RFC 6761, RFC 8375 and common practice). */
const PRIVATE_SUFFIX = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** An IPv6 literal keeps its brackets, and every way to write an IPv4 address ends in digits once it is parsed. */
const IP_ADDRESS = /^\[|\.\d+$/;

/** Whether a host name is one that the public internet can know: no address, no name of a private network. */
export const isPublicHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.+$/, "");
  return host.includes(".") && !IP_ADDRESS.test(host) && !PRIVATE_SUFFIX.test(host);
};

/** Whether a text is an https URL of a public host, without user or password. */
export const isPublicUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return protocol === "https:" && isPublicHost(hostname) && username === "" && password === "";
};

/** A URL that a customer's browser may be sent to. */
export const publicUrl = () => text(MAX_URL).refine(isPublicUrl, "must be an https URL of a public host");
