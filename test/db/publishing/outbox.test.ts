import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { sql } from "drizzle-orm";
import type { DocumentKey } from "../../../db/documents/keys.ts";
import { outdate } from "../../../db/documents/outdate.ts";
import { beginPublication, endPublication, findUnpublished, type Unpublished } from "../../../db/publishing/outbox.ts";
import { makeInventory } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => h.rows("truncate publish_outbox"));
afterAll(() => h.close());

/** Notes documents, in this order. */
const note = (keys: readonly DocumentKey[]) =>
  outdate(h.db, sql`select k from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) k`);

const waiting = async () => (await findUnpublished(h.db, 100, 0)).keys;
/** Lists all that wait, some at a time. */
const pages = async (limit: number): Promise<string[][]> => {
  const found: string[][] = [];
  for (let after: number | null = 0; after !== null;) {
    const { keys, next }: Unpublished = await findUnpublished(h.db, limit, after);
    found.push(keys);
    after = next;
  }
  return found;
};

describe("the outbox", () => {
  it("names each waiting document once, longest waiting first, and no more than asked for", async () => {
    await note(["placement:b", "network"]);
    await note(["placement:a", "placement:b"]);
    expect(await waiting()).toEqual(["placement:b", "network", "placement:a"]);
    expect(await pages(2)).toEqual([["placement:b", "network"], ["placement:a"]]);
    expect(await pages(3)).toEqual([["placement:b", "network", "placement:a"], []]);
  });

  it("is read some entries at a time, however many changes one document has", async () => {
    await h.rows("insert into publish_outbox (document_key) select 'network' from generate_series(1, 25000)");
    await note(["placement:a", "network"]);
    expect(await pages(99)).toEqual([["network"], [], ["placement:a"]]);
  });

  it("settles the entries of a document that were there before it was built", async () => {
    const { placement, site } = await makeInventory(h.db);
    const key = `placement:${placement.id}` as const;
    await note([key, key, "network"]);
    const { document, entries } = await beginPublication(h.db, key);
    expect(entries).toHaveLength(2);
    expect(document).toMatchObject({ value: { siteId: site.id, status: "active" } });
    await note([key]);
    await endPublication(h.db, entries);
    expect(await waiting()).toEqual(["network", key]);
  });

  it("builds a tombstone for what does not exist", async () => {
    const { document, entries } = await beginPublication(h.db, `placement:${newId("placement")}`);
    expect(document).toEqual({ builtAt: expect.any(Number), value: null });
    expect(entries).toEqual([]);
    await endPublication(h.db, entries);
  });

  it("settles any number of entries", async () => {
    await h.rows("insert into publish_outbox (document_key) select 'network' from generate_series(1, 70000)");
    const { entries } = await beginPublication(h.db, "network");
    await endPublication(h.db, entries);
    expect(await waiting()).toEqual([]);
  });

  it("is published behind any number of changes of a document that cannot be", async () => {
    const { placement } = await makeInventory(h.db);
    const key = `placement:${placement.id}` as const;
    // A version that is gone may have named a document that this one does not know.
    await h.rows("insert into publish_outbox (document_key) select 'unknown:1' from generate_series(1, 45000)");
    await note([key]);
    await h.cron();
    expect(await h.count("publish_outbox where document_key = $1", [key])).toBe(0);
    expect(await h.count("publish_outbox where document_key = 'unknown:1'")).toBe(45_000);
  });
});
