import { expect, it } from "vitest";
import { LanyapError } from "#client";
import { runBulk, type Item, type Progress } from "../../functions/console/api/bulk.ts";

const itemOf = (id: string, change: () => Promise<unknown>): Item => ({ id, name: id, change });

it.each([
  ["is done", null, 1],
  ["is refused", 404, 1],
  ["has to wait", 429, 0],
])("stops behind what is under way, which %s, and begins nothing more", async (_, status, done) => {
  const over = new AbortController();
  const made: string[] = [];
  const told: Progress[] = [];
  const first = itemOf("first", () => {
    over.abort();
    return status === null ? Promise.resolve() : Promise.reject(new LanyapError("CONFLICT", "Refused", { status }));
  });
  const second = itemOf("second", () => Promise.resolve(made.push("second")));
  const progress = await runBulk([first, second], (now) => told.push(now), over.signal);
  expect([progress.done, progress.waiting, made]).toEqual([done, null, []]);
  expect(told.filter(({ waiting }) => waiting !== null)).toEqual([]);
});
