import { once } from "node:events";
import { createServer } from "node:http";

/** Describes a page of a shop, and how it is served. */
export type ShopPage = { body: string; headers?: Record<string, string> };

/** Describes a shop's own web server, on another origin than the service. */
export type Shop = { open: (page: ShopPage) => string; close: () => Promise<void> };

/** Starts a shop without pages. */
export const startShop = async (): Promise<Shop> => {
  const pages = new Map<string, ShopPage>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    if (!page) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...page.headers }).end(page.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    open: (page) => {
      const path = `/thank-you/${pages.size + 1}`;
      pages.set(path, page);
      return `http://127.0.0.1:${address.port}${path}`;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

/** Returns a page around some content, with room kept for offers. */
export const thankYouPage = (content: string, head = ""): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Thank you</title><link rel="icon" href="data:,">${head}</head>
<body><main><h1>Thank you for your order</h1>${content}<p id="below">Below the offers</p></main></body>
</html>`;

/** Sums up in `window.shift` by how much the page's content moves, and lists in `window.moved` what does. */
export const COUNT_SHIFTS = `window.shift = 0;
  window.moved = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    shift += value;
    for (const { node, previousRect: { x, y }, currentRect } of sources) {
      const { id, className, parentElement } = node ?? {};
      moved.push([node?.nodeName, id || className || parentElement?.id, x, y, "to", currentRect.x, currentRect.y].join(" "));
    }
  })).observe({ type: "layout-shift", buffered: true });`;

/** Does the same from a page's head. */
export const WATCH_SHIFTS = `<script>${COUNT_SHIFTS}</script>`;

const CALLBACKS = ["onReady", "onShow", "onView", "onClick", "onClose", "onEmpty", "onEnd", "onError"];

/**
 * Returns a script that calls `Lanyap.init` and logs every callback into `window.log`, as `onShow 0`. The handle is
 * `window.handle`.
 */
export const initScript = (options: Record<string, unknown>): string => `<script>{
  window.log ??= [];
  const options = ${JSON.stringify(options)};
  for (const name of ${JSON.stringify(CALLBACKS)}) {
    options[name] = (first, ...rest) => {
      const code = first && (first.code ?? first.count);
      log.push([name, code, typeof first === "string" ? first : undefined, ...rest].filter((x) => x !== undefined).join(" "));
    };
  }
  window.handle = window.Lanyap?.init(options);
}</script>`;
