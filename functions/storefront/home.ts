/** Says what the service is, for those who have not asked for anything else yet. */
const ABOUT =
  "Lanyap is an open-source offer service for stores. After a purchase, a shop’s thank-you page asks it for offers and shows them to the customer.";

type Link = readonly [name: string, path: string, what: string];

const DEMO: Link = ["demo", "/demo", "The demo store: offers on a thank-you page, to accept, decline and change"];

const LINKS: readonly Link[] = [
  ["console", "/console", "The console: sign in with a token, and see and steer publishers, sites and offers"],
  ["docs", "/docs", "The API: a reference to read and to try, and guides"],
  ["start", "/docs/start", "A first walk: from nothing to an offer and its conversion"],
  ["script", "/embed.js", "The script that shows offers on a shop’s page"],
  ["scriptRelease", "/embed.json", "The script’s current name and integrity value"],
  ["api", "/openapi.json", "The API described, as OpenAPI 3.1"],
  ["privacy", "/privacy", "How offers treat a customer’s data"],
  ["health", "/health", "Whether the service is up"],
];

const html = (links: readonly Link[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${ABOUT}">
<title>Lanyap: offers after a purchase</title>
<link rel="icon" href="/icons/brand.svg">
<link rel="stylesheet" href="/ui/home.css">
</head>
<body>
<main>
<img src="/icons/brand.svg" alt="" width="56" height="56">
<h1>Lanyap</h1>
<p>${ABOUT}</p>
<ul>
${links.map(([, path, what]) => `<li><a href="${path}">${what}</a></li>`).join("\n")}
</ul>
<p>Programs get these links as JSON from this address, with <code>Accept: application/json</code>.</p>
</main>
</body>
</html>
`;

const json = (links: readonly Link[]): string => {
  const paths = Object.fromEntries([...links, ["llms", "/llms.txt"]].map(([name, path]) => [name, path]));
  return `${JSON.stringify({ success: true, data: { name: "Lanyap", about: ABOUT, links: paths } })}\n`;
};

const llms = (links: readonly Link[]): string => `# Lanyap

> ${ABOUT}

- Answers are JSON. An error names what is wrong and what to do; programs read its \`code\`.
- Shops’ pages ask \`GET /api/odata\` for offers, with a public key as \`Authorization: Bearer\`, and \`placementId\`.
- Publishers, platforms and the administrator manage at \`/api/site\`, \`/api/placements\` and \`/api/v1/…\`, each with a token of its own as \`Authorization: Bearer\`.
- What an endpoint of management does not know, it refuses by name.

## Links

${links.map(([, path, what]) => `- [${what}](${path})`).join("\n")}
`;

/** Returns the files that introduce the service at its root, by name. The demo store is named only if there is one. */
export const homeFiles = (hasDemo: boolean): Record<string, string> => {
  const links = hasDemo ? [DEMO, ...LINKS] : LINKS;
  return { "home.html": html(links), "home.json": json(links), "llms.txt": llms(links) };
};

/**
 * Tells crawlers to leave alone the endpoints for shops and counting, pages with offers, and all of the console except
 * its entry.
 */
export const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /click
Disallow: /close
Disallow: /console/
Disallow: /conversion
Disallow: /demo/figures
Disallow: /ui/webview
Disallow: /vdata
`;
