import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const README = resolve(import.meta.dirname, "../../../README.md");

/** What the README calls the service's address, the public key and the placement. */
const [SERVICE, KEY, PLACEMENT] = ["https://offers.example", "lan_pk_…", "plc_…"];

/** Who asks whom: what the README leaves for a merchant to fill in. */
export type Filled = { url: string; publicKey?: string; placementId?: string };

/** The README's blocks of code in a language, in their order, filled in as a merchant would. */
const blocks = (language: string, { url, publicKey = KEY, placementId = PLACEMENT }: Filled): string[] => {
  const section = readFileSync(README, "utf8").split("\n## On a shop's page\n")[1]?.split("\n## ", 1)[0] ?? "";
  return [...section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , code = ""]) =>
      code.replaceAll(SERVICE, url).replaceAll(KEY, publicKey).replaceAll(PLACEMENT, placementId),
    );
};

const required = (code: string | undefined): string => {
  if (!code) throw new Error("the README has lost lines that merchants paste");
  return code;
};

/** The two lines that show offers. */
export const snippet = (filled: Filled): string => required(blocks("html", filled)[0]);

/** The script of one version, which the browser checks. */
export const pinnedScript = (filled: Filled): string => required(blocks("html", filled)[1]);

/** The directives for shops with a Content-Security-Policy. */
export const directives = (filled: Filled): string => required(blocks("", filled)[0]?.trim());
