const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};

/**
 * Stands for the platform's server of assets. It serves the files of a folder, each with the type that its name
 * implies. The runtime's own server gives all files one type, and browsers run no script of that type.
 */
export default {
  async fetch(request: Request, { FILES }: { FILES: Fetcher }): Promise<Response> {
    const type = TYPES[/\.([a-z]+)$/.exec(new URL(request.url).pathname)?.[1] ?? ""];
    const file = type ? await FILES.fetch(request.url) : null;
    if (!type || !file?.ok) return new Response(null, { status: 404 });
    return new Response(file.body, { headers: { "Content-Type": type } });
  },
};
