import { keyedHash } from "../core/keyed-hash.ts";
import { DAY_MS } from "../../db/core/time.ts";

/** Counts the groups of an IPv6 address. The first three, 48 bits, name its range. */
const GROUPS = 8;
const RANGE_GROUPS = 3;

/** Counts the numbers of an IPv4 address. The first three name its range. */
const OCTETS = 4;

/** Writes the first groups of an IPv6 address in full, without any of the short forms. */
const groupsOf = (address: string): string => {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return groups
    .slice(0, RANGE_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
};

/** Returns the range that a customer's address lies in: the /24 of IPv4, the /48 of IPv6. */
export const addressRange = (address: string): string => {
  // An IPv6 address may end in an IPv4 one, after its last colon.
  const octets = address.slice(address.lastIndexOf(":") + 1).split(".");
  return octets.length === OCTETS && octets.every((octet) => /^\d+$/.test(octet))
    ? octets.slice(0, -1).join(".")
    : groupsOf(address);
};

/**
 * Returns what stands for a customer without a session, for a day and an offer: a keyed hash of the address range,
 * which reveals neither the address nor that two offers or days had the same customer. Null where the address is not
 * known.
 *
 * @param now in milliseconds; its UTC day counts
 */
export const addressHash = (
  sessionKey: string,
  address: string | undefined,
  offerId: string,
  now: number,
): string | null =>
  address === undefined
    ? null
    : keyedHash(sessionKey, `address:${Math.floor(now / DAY_MS)}:${offerId}:${addressRange(address)}`);
