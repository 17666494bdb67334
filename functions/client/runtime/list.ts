import type { Answer } from "./options.ts";

/** Holds a page of a list, as far as asking for the next one needs. */
export type Page = Answer<{ data: unknown; pagination?: { total: number; skip: number; hasMore: boolean } }>;

/**
 * Holds a call of a list. With `await`, it returns one page; `for await (const item of …)` goes through the whole list,
 * asking for more as it goes.
 */
export type List<Item, Body> = Promise<Answer<Body>> & AsyncIterable<Item>;

/** Returns what identifies an item: conversions and documents have no id. */
const idOf = (item: unknown): unknown => {
  const { id, transactionId, key } = (item ?? {}) as Record<string, unknown>;
  return id ?? transactionId ?? key;
};

/**
 * Asks for the page after a page. Items removed meanwhile move the rest forward: then it asks again, from that much
 * earlier.
 */
const following = async (
  ask: (more: object) => Promise<Page>,
  { total, skip }: { total: number; skip: number },
  length: number,
): Promise<Page> => {
  const end = skip + length;
  for (let at = end; ;) {
    const page = await ask({ skip: at });
    const begin = Math.max(0, end - Math.max(0, total - (page.pagination?.total ?? total)));
    if (begin >= at) return page;
    at = begin;
  }
};

/** Asks for the first page of a list at once, and for others when they are needed. */
export const listing = (ask: (more: object) => Promise<Page>): List<unknown, Page> => {
  const first = ask({});
  return Object.assign(first, {
    async *[Symbol.asyncIterator](): AsyncGenerator {
      const seen = new Set<unknown>();
      for (let page = await first; ;) {
        const items = [page.data].flat();
        // Items created meanwhile move the rest back, so a page may begin with items that were on the one before.
        yield* items.filter((item) => idOf(item) === undefined || !seen.has(idOf(item)));
        if (!page.pagination?.hasMore || items.length === 0) return;
        for (const item of items) seen.add(idOf(item));
        page = await following(ask, page.pagination, items.length);
      }
    },
  });
};
