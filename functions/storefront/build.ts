import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions, type BuildResult } from "esbuild";
import { demo } from "../../db/demo/network.ts";
import { iconNames, renderIcon } from "./icons.ts";
import { PRIVACY_PAGE } from "./privacy.ts";

// Builds everything that browsers load from the service. Wrangler runs this script before it bundles the Worker, and
// serves the folder through the binding ASSETS.
const browser = join(import.meta.dirname, "browser");
const out = join(import.meta.dirname, "../../dist/assets");

/** Writes a file in one step, and only when it changed, because a server may be reading the folder. */
const write = (path: string, content: string | Uint8Array): void => {
  const target = join(out, path);
  const bytes = Buffer.from(content);
  try {
    if (readFileSync(target).equals(bytes)) return;
  } catch {
    mkdirSync(dirname(target), { recursive: true });
  }
  const temporary = `${target}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, target);
};

const outputOf = ({ outputFiles: [output] }: BuildResult<{ write: false }>): Uint8Array => {
  if (!output) throw new Error("esbuild returned no output");
  return output.contents;
};

const styleSheet = async (entry: string): Promise<Uint8Array> =>
  outputOf(await build({ entryPoints: [join(browser, entry)], bundle: true, write: false, minify: true }));

const styles = new TextDecoder().decode(await styleSheet("embed/styles/styles.css"));

const script = async (entry: string): Promise<Uint8Array> => {
  const options: BuildOptions & { write: false } = {
    entryPoints: [join(browser, entry)],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2020",
    charset: "utf8",
    define: Object.fromEntries(
      Object.entries({
        STYLES: styles,
        DEMO_PUBLIC_KEY: demo.publicKey,
        DEMO_PLACEMENT: demo.placements.live,
        DEMO_TEST_PLACEMENT: demo.placements.test,
      }).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
  };
  return outputOf(await build(options));
};

const embed = await script("embed/index.ts");
const hash = createHash("sha256").update(embed).digest("hex").slice(0, 16);
const release = {
  url: `/embed.${hash}.js`,
  integrity: `sha384-${createHash("sha384").update(embed).digest("base64")}`,
  bytes: embed.length,
  gzip: gzipSync(embed, { level: 9 }).length,
};

write("embed.js", embed);
write(release.url, embed);
write("embed.json", `${JSON.stringify(release)}\n`);
for (const name of ["webview", "demo"]) {
  write(`ui/${name}.js`, await script(`${name}/index.ts`));
  write(`ui/${name}.css`, await styleSheet(`${name}/page.css`));
  write(`ui/${name}.html`, readFileSync(join(browser, name, "page.html")));
}
// Tells the Worker, which knows nothing of the demo network, whose placement the demo page shows.
write("ui/demo.json", `${JSON.stringify({ placementId: demo.placements.live })}\n`);
for (const name of iconNames) write(`icons/${name}.svg`, renderIcon(name) ?? "");
write("ui/privacy.html", PRIVACY_PAGE);

for (const name of readdirSync(out)) {
  if (/^embed\.[0-9a-f]+\.js$/.test(name) && `/${name}` !== release.url) rmSync(join(out, name), { force: true });
}
process.stdout.write(
  `Storefront script: ${(release.gzip / 1024).toFixed(1)} KB gzip (limit 8 KB)\n  ${release.url}\n  ${release.integrity}\n`,
);
