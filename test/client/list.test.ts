import fc from "fast-check";
import { expect, it } from "vitest";
import { listing, type Page } from "../../functions/client/runtime/list.ts";

const TAKE = 3;
const META = { status: 200, etag: null, requestId: null, headers: new Headers() };

it("goes through a whole list, each item once, whatever of what was seen goes before each answer", async () => {
  const lists = fc.integer({ min: 0, max: 20 });
  const going = fc.infiniteStream(fc.nat());
  await fc.assert(
    fc.asyncProperty(lists, going, async (length, chances) => {
      let left = Array.from({ length }, (_, id) => ({ id }));
      const all = left.map(({ id }) => id);
      const found: number[] = [];
      const ask = async (more: object): Promise<Page> => {
        left = left.filter(({ id }) => !found.includes(id) || Number(chances.next().value) % 3 > 0);
        const { skip = 0 } = more as { skip?: number };
        const total = left.length;
        return {
          ...META,
          data: left.slice(skip, skip + TAKE),
          pagination: { total, skip, hasMore: skip + TAKE < total },
        };
      };
      for await (const item of listing(ask)) found.push((item as { id: number }).id);
      expect(found).toEqual(all);
    }),
  );
});
