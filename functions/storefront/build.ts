import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions, type BuildResult } from "esbuild";
import { demo } from "../../db/demo/network.ts";
import { ICON_NAMES } from "../core/icon-names.ts";
import { writeBuilt } from "../local/built-file.ts";
import { SCRIPT_LIMIT_KB } from "../local/limits.ts";
import { homeFiles, ROBOTS } from "./home.ts";
import { renderIcon } from "./icons.ts";
import { LANGUAGES } from "./languages.ts";
import { PRIVACY_PAGE } from "./privacy.ts";

// Builds everything that browsers load from the service. Wrangler runs this script before it bundles the Worker, and
// serves the folder through the binding ASSETS.
const browser = join(import.meta.dirname, "browser");
const out = join(import.meta.dirname, "../../dist/assets");

const write = (path: string, content: string | Uint8Array): void => writeBuilt(join(out, path), content);

const outputOf = ({ outputFiles: [output] }: BuildResult<{ write: false }>): Uint8Array => {
  if (!output) throw new Error("esbuild returned no output");
  return output.contents;
};

const styleSheet = async (entry: string): Promise<Uint8Array> =>
  outputOf(await build({ entryPoints: [join(browser, entry)], bundle: true, write: false, minify: true }));

// esbuild leaves spaces in the values of variables, and around operators.
const styles = new TextDecoder()
  .decode(await styleSheet("embed/styles/styles.css"))
  .replaceAll(/([:,]) | ([*/]) /g, "$1$2")
  .trim();

/** Describes a file whose name has its hash, so that it may be kept for ever. */
type Release = { url: string; integrity: string; bytes: number; gzip: number };

const releaseOf = (content: Uint8Array, type: "js" | "json" = "js"): Release => ({
  url: `/embed.${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${type}`,
  integrity: `sha384-${createHash("sha384").update(content).digest("base64")}`,
  bytes: content.length,
  gzip: gzipSync(content, { level: 9 }).length,
});

const script = async (
  entry: string,
  format: "iife" | "esm" = "iife",
  values: Record<string, unknown> = {},
): Promise<Uint8Array> => {
  const options: BuildOptions & { write: false } = {
    entryPoints: [join(browser, entry)],
    bundle: true,
    write: false,
    minify: true,
    format,
    target: "es2020",
    charset: "utf8",
    define: Object.fromEntries(
      Object.entries({
        STYLES: styles,
        DEMO_PUBLIC_KEY: demo.publicKey,
        DEMO_PLACEMENT: demo.placements.live,
        DEMO_TEST_PLACEMENT: demo.placements.test,
        ...values,
      }).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
  };
  return outputOf(await build(options));
};

// What is not always needed is in separate files, which the script loads by these names and hashes.
const warnings = await script("embed/more/index.ts", "esm");
const warningsRelease = releaseOf(warnings);
const rare = new TextEncoder().encode(
  JSON.stringify({
    words: LANGUAGES,
    warnings: { href: warningsRelease.url.slice(1), integrity: warningsRelease.integrity },
  }),
);
const rareRelease = releaseOf(rare, "json");
const { url, integrity } = rareRelease;
const embed = await script("embed/index.ts", "iife", {
  RARE: { url: url.slice(1), integrity, languages: Object.keys(LANGUAGES).join(" ") },
});
const release = releaseOf(embed);

write(warningsRelease.url, warnings);
write(url, rare);
write("embed.js", embed);
write(release.url, embed);
write("embed.json", `${JSON.stringify(release)}\n`);
for (const name of ["webview", "demo"]) {
  write(`ui/${name}.js`, await script(`${name}/index.ts`));
  write(`ui/${name}.css`, await styleSheet(`${name}/page.css`));
  write(`ui/${name}.html`, readFileSync(join(browser, name, "page.html")));
}
// This tells the Worker, which knows nothing of the demo network, which placement the demo page shows.
write("ui/demo.json", `${JSON.stringify({ placementId: demo.placements.live })}\n`);
for (const name of ICON_NAMES) write(`icons/${name}.svg`, renderIcon(name) ?? "");
write("ui/privacy.html", PRIVACY_PAGE);
write("ui/home.css", await styleSheet("home/page.css"));
for (const [folder, hasDemo] of [
  ["home/demo", true],
  ["home/plain", false],
] as const) {
  for (const [name, content] of Object.entries(homeFiles(hasDemo))) write(`${folder}/${name}`, content);
}
write("robots.txt", ROBOTS);
write("favicon.ico", readFileSync(join(import.meta.dirname, "favicon.ico")));

const kept = new Set([release, warningsRelease, rareRelease].map((file) => file.url));
for (const name of readdirSync(out)) {
  if (/^embed\.[0-9a-f]+\.js(?:on)?$/.test(name) && !kept.has(`/${name}`)) rmSync(join(out, name), { force: true });
}
process.stdout.write(
  `Storefront script: ${release.gzip} bytes gzip (limit ${SCRIPT_LIMIT_KB * 1024}), ${rareRelease.gzip} more for other languages, ${warningsRelease.gzip} for warnings
  ${release.url}
  ${release.integrity}
`,
);
