import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { documentKey, type DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { putDocument, readStored, storedName } from "../../functions/documents/kv.ts";
import { candidatesDocument, networkDocument, placementDocument } from "../support/documents/documents.ts";
import { startRuntime, type Runtime } from "../support/runtime/runtime.ts";

const DAY_SECONDS = 86_400;
const document: Stored<"network"> = { builtAt: 1_700_000_000_000, value: networkDocument() };

/** Makes a key that KV refuses, which takes names of up to 512 bytes. */
const refused = documentKey.placement("x".repeat(600));

let runtime: Runtime<{ KV: KVNamespace }>;
let kv: KVNamespace;

beforeAll(async () => {
  runtime = await startRuntime({ env: { KV: { type: "kv" } } });
  kv = runtime.bindings.KV;
});
afterEach(async () => {
  vi.restoreAllMocks();
  const { keys } = await kv.list();
  await Promise.all(keys.map(({ name }) => kv.delete(name)));
});
afterAll(() => runtime.stop());

/** Knows no document from before. */
const nothing = () => undefined;

const put = (key: DocumentKey, text: string) => kv.put(storedName(key), text);

/** Tells how long a document is kept from now on, in seconds, to the minute. */
const left = (expiration: number): number => Math.round((expiration - Date.now() / 1000) / 60) * 60;

/** Passes reads on to the namespace and notes them. */
const watched = () => {
  const get = vi.fn<(names: string[], options: { type: "text"; cacheTtl: number }) => unknown>((names, options) =>
    kv.get(names, options),
  );
  return { get, kv: { get } as unknown as KVNamespace };
};

describe("readStored", () => {
  it("reads all documents at once, and lets the edge's cache answer for the shortest time that KV allows", async () => {
    await put("network", JSON.stringify(document));
    const { kv: namespace, get } = watched();
    const keys: DocumentKey[] = ["network", documentKey.placement("a")];
    expect(await readStored(namespace, keys, nothing)).toEqual(new Map([["network", document]]));
    expect(get).toHaveBeenCalledExactlyOnceWith(keys.map(storedName), { type: "text", cacheTtl: 30 });
    await expect(kv.get([storedName("network")], { type: "text", cacheTtl: 29 })).rejects.toThrow("at least 30");
  });

  it("knows a tombstone", async () => {
    const [key, tombstone] = [documentKey.key("a"), { builtAt: 5, value: null }];
    await put(key, JSON.stringify(tombstone));
    expect(await readStored(kv, [key], nothing)).toEqual(new Map([[key, tombstone]]));
  });

  it.each(["", "{", "null", "[]", "7", '"builtAt value"', '{"builtAt":1}', '{"value":{}}'])(
    "takes what is corrupt for missing: %s",
    async (text) => {
      const error = vi.spyOn(console, "error").mockReturnValue();
      await put("network", text);
      expect(await readStored(kv, ["network"], nothing)).toEqual(new Map());
      expect(error).toHaveBeenCalledOnce();
    },
  );

  it("returns the document that is known where its text is the same", async () => {
    await putDocument(kv, "network", document);
    const first = (await readStored(kv, ["network"], nothing)).get("network");
    expect((await readStored(kv, ["network"], () => first)).get("network")).toBe(first);
  });

  it.each<[string, Stored<"network">]>([
    ["of another build", { ...document, builtAt: document.builtAt + 1 }],
    ["that says something else", { ...document, value: { ...networkDocument(), since: 12_345 } }],
  ])("reads a document %s again", async (_, fresh) => {
    await putDocument(kv, "network", document);
    const known = (await readStored(kv, ["network"], nothing)).get("network");
    await putDocument(kv, "network", fresh);
    expect((await readStored(kv, ["network"], () => known)).get("network")).toEqual(fresh);
  });

  it("finds nothing when KV fails", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(await readStored(kv, [refused], nothing)).toEqual(new Map());
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("KV cannot be read"));
  });
});

describe("putDocument", () => {
  it.each<[DocumentKey, Stored]>([
    ["network", document],
    [documentKey.placement("a"), { builtAt: 1, value: placementDocument() }],
    [documentKey.key("a"), { builtAt: 1, value: null }],
    [documentKey.candidates("a", "US"), { builtAt: 1, value: candidatesDocument([]) }],
  ])("writes %s for a day", async (key, stored) => {
    await putDocument(kv, key, stored);
    expect(await readStored(kv, [key], nothing)).toEqual(new Map([[key, stored]]));
    const { keys } = await kv.list();
    expect(keys.map(({ name, expiration }) => [name, expiration && left(expiration)])).toEqual([
      [storedName(key), DAY_SECONDS],
    ]);
  });

  it("fails when KV does", async () => {
    await expect(putDocument(kv, refused, document)).rejects.toThrow("414");
  });
});
