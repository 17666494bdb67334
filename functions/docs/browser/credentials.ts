/** Describes a token of the demo, as `npm start` hands it to pages on loopback. */
export type DemoToken = { name: string; token: string };

const SCHEMES: readonly (readonly [prefix: string, scheme: string])[] = [
  ["lan_pk_", "publicKey"],
  ["lan_sk_", "publisherToken"],
  ["lan_plat_", "platformToken"],
];

/** Assigns tokens to the security schemes of the description, by their prefixes. */
export const credentialsOf = (tokens: readonly DemoToken[]): [scheme: string, token: string][] =>
  tokens.map(({ token }) => [SCHEMES.find(([prefix]) => token.startsWith(prefix))?.[1] ?? "administratorToken", token]);
