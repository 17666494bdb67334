import { afterEach, expect, it, vi } from "vitest";
import { documentKey } from "../../db/documents/keys.ts";
import { findTogether } from "../../functions/documents/lookups.ts";

const namesOf = (count: number) => Array.from({ length: count }, (_, n) => documentKey.placement(`plc_${n}`));

afterEach(() => {
  vi.unstubAllGlobals();
});

it("a thousand names are asked for together, and no more until Postgres has been asked", async () => {
  const gathered = Promise.withResolvers<void>();
  vi.stubGlobal("scheduler", { wait: () => gathered.promise });
  const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" } as Env;
  const kept: Promise<unknown>[] = [];
  const context = { waitUntil: (promise: Promise<unknown>) => kept.push(promise) };
  const waits = [findTogether(env, context, namesOf(999)), findTogether(env, context, namesOf(1_000))];
  expect(await findTogether(env, context, [documentKey.placement("plc_more")])).toBeNull();
  expect(kept).toHaveLength(1);
  gathered.resolve();
  // Postgres is down, which says nothing about any name.
  expect(await Promise.all(waits)).toEqual([null, null]);
});
