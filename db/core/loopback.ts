/**
 * Tells whether only this machine reaches a host: `localhost`, an address that begins with 127, or `[::1]`.
 *
 * @param hostname the name alone, without a port; an IPv6 address in brackets
 */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
