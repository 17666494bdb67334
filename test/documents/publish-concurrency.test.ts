import { afterEach, describe, expect, it, vi } from "vitest";
import type { DocumentKey } from "../../db/documents/keys.ts";
import { publishDocuments } from "../../functions/documents/publish.ts";

const MOST = 20;
const KEYS = Array.from({ length: 75 }, (_, i): DocumentKey => `placement:${i}`);

/** Stands for the writers: each publication ends when the test says so. */
const makeWriters = () => {
  const begun: DocumentKey[] = [];
  const open = new Map<DocumentKey, PromiseWithResolvers<void>>();
  let most = 0;
  const publish = async (key: DocumentKey) => {
    const publication = Promise.withResolvers<void>();
    begun.push(key);
    open.set(key, publication);
    most = Math.max(most, open.size);
    await publication.promise.finally(() => open.delete(key));
  };
  const env = { DOCUMENT_WRITER: { getByName: () => ({ publish }) } } as unknown as Env;
  return { env, begun, open, most: () => most };
};

/** Lets everything go on that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("many documents", () => {
  it("are handed over each once, twenty at a time", async () => {
    const { env, begun, open, most } = makeWriters();
    const done = publishDocuments(env, KEYS);
    while (open.size > 0) {
      for (const { resolve } of open.values()) resolve();
      await settle();
    }
    await done;
    expect(most()).toBe(MOST);
    expect(begun).toEqual(KEYS);
  });

  it("do not wait for one that is slow, or another's failure", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    const { env, begun, open } = makeWriters();
    const done = publishDocuments(env, KEYS);
    const slow = open.get(KEYS[0]!);
    open.get(KEYS[1]!)?.reject(new Error("KV is away"));
    while (open.size > 1) {
      for (const [key, { resolve }] of open) if (key !== KEYS[0]) resolve();
      await settle();
    }
    expect(begun).toEqual(KEYS);
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("KV is away"));
    slow?.resolve();
    await done;
  });

  it("do not wait for a writer that never answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const error = vi.spyOn(console, "error").mockReturnValue();
    const { env, begun, open } = makeWriters();
    const done = publishDocuments(env, KEYS.slice(0, MOST + 1));
    await vi.advanceTimersByTimeAsync(40_000);
    open.get(KEYS[MOST]!)?.resolve();
    await done;
    expect(begun).toEqual(KEYS.slice(0, MOST + 1));
    expect(error).toHaveBeenCalledTimes(MOST);
    expect(error).toHaveBeenCalledWith(expect.stringContaining("did not answer within 40 seconds"));
  });

  it("need no more lines than they are, and none at all where there are none", async () => {
    const { env, begun, open, most } = makeWriters();
    await publishDocuments(env, []);
    expect(begun).toEqual([]);
    const done = publishDocuments(env, KEYS.slice(0, 3));
    expect(most()).toBe(3);
    for (const { resolve } of open.values()) resolve();
    await done;
  });
});
