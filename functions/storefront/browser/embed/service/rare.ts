import { base, script } from "./script.ts";
import { codeOf } from "./language.ts";
import type { LanyapError, Options } from "./options.ts";
import { pause } from "./pause.ts";
import { element } from "../dom.ts";

/** Names the file with what most pages never need, and lists the languages that it has. The build inserts this. */
declare const RARE: { url: string; integrity: string; languages: string };

/** Holds texts by language, and the name and hash of the module that finds what is wrong with options. */
type Rare = { words: Record<string, string>; warnings: { href: string; integrity: string } };

/** Writes to the console what is wrong with options, and why a request with them failed. */
export type Warn = (options: Options, error?: LanyapError) => void;

const load = async (): Promise<Rare> =>
  (await fetch(base + RARE.url, { integrity: RARE.integrity, credentials: "omit" })).json() as Promise<Rare>;

/** Loads the script's texts in a language. Returns nothing for English. */
export const loadWords = async (locale: string): Promise<string | void> => {
  const language = codeOf(locale);
  if (RARE.languages.includes(language)) {
    // Buttons in English are better than none.
    return Promise.race([load().then(({ words }) => words[language]), pause(3000)]).catch(() => {});
  }
};

/** Loads a module that the browser checks in advance, since `import` itself takes no hash. */
const loadModule = ({ href, integrity: expected }: Rare["warnings"]): Promise<{ warn: Warn }> =>
  new Promise((resolve, reject) => {
    const preload = element("link", {
      rel: "modulepreload",
      crossorigin: "anonymous",
      nonce: script?.nonce ?? "",
      integrity: expected,
      href: base + href,
    });
    preload.addEventListener("load", () => resolve(import(preload.href) as Promise<{ warn: Warn }>));
    preload.addEventListener("error", reject);
    document.head.append(preload);
  });

let loading: Promise<{ warn: Warn }> | undefined;

/** Tells those who build the page what is wrong with options, and with their request if it failed. */
export const notice = (options: Options, error?: LanyapError): void => {
  loading ??= load().then(({ warnings }) => loadModule(warnings));
  loading.then(
    ({ warn }) => warn(options, error),
    () => console.warn(`Lanyap: ${error?.message ?? "options are wrong"}`),
  );
};
