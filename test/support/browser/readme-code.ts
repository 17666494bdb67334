import { codeBelow, readProjectFile } from "../markdown.ts";

const GUIDE = "functions/storefront/README.md";

/** Names the guide's placeholders for the service's address, the public key and the placement. */
const [SERVICE, KEY, PLACEMENT] = ["https://offers.example", "lan_pk_…", "plc_…"];

/** Holds the values that the guide leaves for a merchant to fill in. */
export type Filled = { url: string; publicKey?: string; placementId?: string };

/** Returns the first block of code below a heading of the guide, filled in as a merchant would. */
const filledIn = (
  title: string,
  language: string,
  { url, publicKey = KEY, placementId = PLACEMENT }: Filled,
): string => {
  const [code = ""] = codeBelow(readProjectFile(GUIDE), title, language);
  return code.replaceAll(SERVICE, url).replaceAll(KEY, publicKey).replaceAll(PLACEMENT, placementId);
};

/** Returns the two lines that show offers. */
export const snippet = (filled: Filled): string => filledIn("The two lines", "html", filled);

/** Returns the script of one version, which the browser checks. */
export const pinnedScript = (filled: Filled): string => filledIn("Pin a version", "html", filled);

/** Returns the functions for a worker that has no page. */
export const workerCode = (filled: Filled): string => filledIn("In a UI extension", "js", filled);

/** Returns the directives for shops with a Content-Security-Policy. */
export const directives = (filled: Filled): string => filledIn("Content-Security-Policy", "", filled).trim();

/** Returns the `data` of the three looks that the guide shows, in their order. */
export const looks = (): unknown[] =>
  codeBelow(readProjectFile(GUIDE), "Three looks", "json").map((code): unknown => JSON.parse(code));
