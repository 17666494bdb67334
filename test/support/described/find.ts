import { describedRoutes, type Described } from "../../../functions/description/described.ts";

type Found = Described & { address: RegExp };

let known: Found[] | null = null;

/** Lists the operations with a pattern of their addresses, those without parameters first. */
const operations = (): Found[] =>
  (known ??= describedRoutes()
    .map((described) =>
      Object.assign(described, {
        address: new RegExp(`^${described.route.path.replaceAll(".", String.raw`\.`).replaceAll(/:\w+/g, "[^/]+")}$`),
      }),
    )
    .toSorted((a, b) => a.route.ids.length - b.route.ids.length));

/**
 * Finds the operation that answers a request; null for a page, a file or an unknown address. HEAD is answered as GET
 * is.
 */
export const operationFor = (method: string, path: string): Described | null => {
  const wanted = method === "HEAD" ? "GET" : method;
  return operations().find(({ route, address }) => route.method === wanted && address.test(path)) ?? null;
};
