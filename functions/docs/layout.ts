import type { Guide } from "./guides.ts";

/** Describes a page: its address, its title, its content, and what else it loads. */
export type DocsPage = {
  path: string;
  title: string;
  about: string;
  body: string;
  script?: string;
  styles: readonly string[];
};

/** Returns a page of the documentation, with links to all others. */
export const layout = ({ path, title, about, body, script, styles }: DocsPage, guides: readonly Guide[]): string => {
  const links = [
    { path: "/docs", name: "Reference" },
    ...guides.map((guide) => ({ path: `/docs/${guide.slug}`, name: guide.title })),
  ];
  const menu = links.map(
    (link) => `<li><a href="${link.path}"${link.path === path ? ' aria-current="page"' : ""}>${link.name}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${about}">
<title>${title} · Lanyap</title>
<link rel="icon" href="/icons/brand.svg">
${styles.map((name) => `<link rel="stylesheet" href="/ui/${name}.css">`).join("\n")}
${script ? `<script defer src="/ui/${script}.js"></script>` : ""}
</head>
<body>
<header class="top">
<a class="home" href="/"><img src="/icons/brand.svg" alt="" width="28" height="28"> Lanyap</a>
<nav aria-label="Documentation"><ul>
${menu.join("\n")}
</ul></nav>
</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
};
