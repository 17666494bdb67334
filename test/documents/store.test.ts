import { afterEach, describe, expect, it, vi } from "vitest";
import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { putDocument, readStored } from "../../functions/documents/store.ts";

const document: Stored<"network"> = { builtAt: 1_700_000_000_000, value: { changedAt: 1, stopped: {} } };

/** A namespace of which a test sees every call. */
const namespace = (texts: Record<string, string> = {}) => {
  const get = vi.fn<(keys: string[], options: object) => Promise<Map<string, string | null>>>(
    async (keys) => new Map(keys.map((key) => [key, texts[key] ?? null])),
  );
  const put = vi.fn<(key: string, text: string, options: object) => Promise<void>>(async () => {});
  return { get, put, kv: { get, put } as unknown as KVNamespace };
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe("readStored", () => {
  it("reads all documents at once, under a version of their shape, from the edge's cache for as short as it may", async () => {
    const { kv, get } = namespace({ "v1:network": JSON.stringify(document) });
    expect(await readStored(kv, ["network", "placement:a"])).toEqual(new Map([["network", document]]));
    expect(get).toHaveBeenCalledExactlyOnceWith(["v1:network", "v1:placement:a"], { type: "text", cacheTtl: 30 });
  });

  it("knows a tombstone", async () => {
    const tombstone = { builtAt: 5, value: null };
    const { kv } = namespace({ "v1:key:a": JSON.stringify(tombstone) });
    expect(await readStored(kv, ["key:a"])).toEqual(new Map([["key:a", tombstone]]));
  });

  it.each(["", "{", "null", "[]", "7", '"builtAt value"', '{"builtAt":1}', '{"value":{}}'])(
    "takes what is corrupt for missing: %s",
    async (text) => {
      const error = vi.spyOn(console, "error").mockReturnValue();
      const { kv } = namespace({ "v1:network": text });
      expect(await readStored(kv, ["network"])).toEqual(new Map());
      expect(error).toHaveBeenCalledOnce();
    },
  );

  it("finds nothing in a namespace that fails", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const { kv, get } = namespace();
    get.mockRejectedValue(new Error("KV GET failed: 500"));
    expect(await readStored(kv, ["network"])).toEqual(new Map());
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("KV cannot be read"));
  });
});

describe("putDocument", () => {
  it.each<[DocumentKey, Stored, object]>([
    ["network", document, {}],
    ["placement:a", { builtAt: 1, value: null }, { expirationTtl: 86_400 }],
    ["key:a", { builtAt: 1, value: null }, { expirationTtl: 86_400 }],
    ["candidates:a:US", { builtAt: 1, value: { offers: [], cut: false, reopensAt: null } }, { expirationTtl: 86_400 }],
  ])("writes %s", async (key, stored, options) => {
    const { kv, put } = namespace();
    await putDocument(kv, key, stored);
    expect(put).toHaveBeenCalledExactlyOnceWith(`v1:${key}`, JSON.stringify(stored), options);
  });

  it("fails when the namespace does", async () => {
    const { kv, put } = namespace();
    put.mockRejectedValue(new Error("KV PUT failed: 429"));
    await expect(putDocument(kv, "network", document)).rejects.toThrow("429");
  });
});
