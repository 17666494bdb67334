const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};

/**
 * Stands for the platform's server of assets: the files of a folder under the type that their name says. The runtime's
 * own server of files gives all of them the same type, which browsers do not run.
 */
export default {
  async fetch(request: Request, { FILES }: { FILES: Fetcher }): Promise<Response> {
    const type = TYPES[/\.([a-z]+)$/.exec(new URL(request.url).pathname)?.[1] ?? ""];
    const file = type ? await FILES.fetch(request.url) : null;
    if (!type || !file?.ok) return new Response(null, { status: 404 });
    return new Response(file.body, { headers: { "Content-Type": type } });
  },
};
