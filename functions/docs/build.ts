import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { build } from "esbuild";
import { writeBuilt } from "../local/built-file.ts";
import { GUIDES, type Guide } from "./guides.ts";
import { layout } from "./layout.ts";
import { anchorOf, counting, headingsOf, renderParts } from "./markdown.ts";

// Builds the documentation that the service shows: the reference, drawn from /openapi.json, and the guides. Wrangler
// runs this after openapi.json is written.
const root = join(import.meta.dirname, "../..");
const out = join(root, "dist/assets");

const written = new Set<string>();
const write = (path: string, content: string | Uint8Array): void => {
  written.add(path);
  writeBuilt(join(out, path), content);
};

const bundled = async (entry: string): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "browser", entry)],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    loader: { ".svg": "dataurl" },
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made nothing of ${entry}`);
  return output.contents;
};

type Described = { paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>> };

/** Maps anchors of headings such as "POST /api/site" to their place in the reference. */
const operationsByAnchor = (): Map<string, string> => {
  const { paths } = JSON.parse(readFileSync(join(out, "openapi.json"), "utf8")) as Described;
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, tags }]) =>
        operationId && tags?.[0]
          ? [
              [
                anchorOf(`${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
                `/docs#/${encodeURIComponent(tags[0])}/${operationId}`,
              ] as const,
            ]
          : [],
      ),
    ),
  );
};

/** Returns a document without the demo's secrets, which no deployment has: readers of these pages have their own. */
const textOf = (file: string): string =>
  readFileSync(join(root, file), "utf8").replaceAll(/(lan_(?:sk|plat|cs)_)[0-9A-Za-z]{49}/g, "$1…");

/** Lists the anchors that a guide has, by file and heading. */
const anchorsOf = ({ slug, sources }: Guide): [string, string][] =>
  sources.flatMap(({ file, headings }) => {
    const rendered = renderParts(textOf(file), headings, { link: () => null, picture: (src) => src });
    return [...rendered.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]): [string, string] => [
      `${file}#${id}`,
      `/docs/${slug}#${id}`,
    ]);
  });

const operations = operationsByAnchor();
const places = new Map(GUIDES.flatMap(anchorsOf));
const known = new Map(
  [...new Set(GUIDES.flatMap(({ sources }) => sources.map(({ file }) => file)))].map((file) => [
    file,
    new Set(headingsOf(textOf(file)).map(anchorOf)),
  ]),
);

/** Finds where a link of a file leads on the site: into a guide, or else into the reference. */
const linkFrom =
  (file: string) =>
  (href: string): string | null => {
    if (/^[a-z]+:/.test(href)) return href;
    const [path = "", anchor = ""] = href.split("#");
    const target = path === "" ? file : posix.join(posix.dirname(file), path);
    if (known.has(target) && anchor !== "" && !known.get(target)?.has(anchor)) {
      throw new Error(`${file} links ${href}, which is not there`);
    }
    return operations.get(anchor) ?? places.get(`${target}#${anchor}`) ?? null;
  };

const pictureFrom =
  (file: string) =>
  (src: string): string => {
    const name = basename(src);
    write(`docs/${name}`, readFileSync(join(root, dirname(file), src)));
    return `/docs/${name}`;
  };

for (const guide of GUIDES) {
  const next = counting();
  const body = guide.sources
    .map(({ file, headings }) =>
      renderParts(textOf(file), headings, { link: linkFrom(file), picture: pictureFrom(file) }, next),
    )
    .join("\n");
  const page = {
    path: `/docs/${guide.slug}`,
    title: guide.title,
    about: guide.about,
    body,
    script: "guide",
    styles: ["docs"],
  };
  write(`docs/${guide.slug}.html`, layout(page, GUIDES));
}

const list = GUIDES.map(({ slug, title, about }) => `<li><a href="/docs/${slug}">${title}</a>: ${about}</li>`);
write(
  "docs/reference.html",
  layout(
    {
      path: "/docs",
      title: "The API",
      about: "Every endpoint of Lanyap, to read and to try.",
      body: `<p>Every endpoint, to read and to try on this service. Programs get the same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<ul class="guides">
${list.join("\n")}
</ul>
<div id="keys" hidden></div>
<div id="reference"><p>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> and the guides do not.</p></div>`,
      script: "reference",
      styles: ["docs", "reference"],
    },
    GUIDES,
  ),
);
write("ui/docs.css", await bundled("docs.css"));

/** Moves pictures that a style embeds into separate files: the pages' policy forbids them inside a style. */
const withPictures = (style: string): string => {
  const names = new Map<string, string>();
  return style.replaceAll(/url\((["']?)data:image\/svg\+xml[^,]*,(.*?)\1\)/g, (_, _quote, data: string) => {
    const name = names.get(data) ?? `mark-${String.fromCodePoint(97 + names.size)}.svg`;
    names.set(data, name);
    write(`docs/${name}`, decodeURIComponent(data.replaceAll('\\"', '"')));
    return `url(/docs/${name})`;
  });
};
write("ui/reference.css", withPictures(new TextDecoder().decode(await bundled("reference.css"))));
write("ui/reference.js", await bundled("reference.ts"));
write("ui/guide.js", await bundled("guide.ts"));

for (const name of readdirSync(join(out, "docs"))) {
  if (!written.has(`docs/${name}`)) rmSync(join(out, "docs", name), { force: true });
}
