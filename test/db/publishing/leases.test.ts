import { beforeAll, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { releaseLease, takeLease } from "../../../db/publishing/leases.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

const MINUTE = 60;

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

it("a lease has one holder, of however many take it at once", async () => {
  const name = newId("request");
  const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => takeLease(h.db, name, `holder ${i}`, MINUTE)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await takeLease(h.db, name, `holder ${taken.indexOf(true)}`, MINUTE)).toBe(false);
  expect(await takeLease(h.db, newId("request"), "another lease", MINUTE)).toBe(true);
});

it("a lease is free once its holder gives it back, and nobody else can", async () => {
  const name = newId("request");
  await takeLease(h.db, name, "holder", MINUTE);
  await releaseLease(h.db, name, "another");
  expect(await takeLease(h.db, name, "another", MINUTE)).toBe(false);
  await releaseLease(h.db, name, "holder");
  expect(await takeLease(h.db, name, "another", MINUTE)).toBe(true);
});

it("a lease of a holder that died is free when its time is over, and not the dead one's to give back", async () => {
  const name = newId("request");
  await takeLease(h.db, name, "dead", MINUTE);
  await h.rows("update leases set held_until = now() - interval '1 ms' where name = $1", [name]);
  expect(await takeLease(h.db, name, "next", MINUTE)).toBe(true);
  await releaseLease(h.db, name, "dead");
  expect(await takeLease(h.db, name, "third", MINUTE)).toBe(false);
});
