import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "../support/api.ts";
import { expectExactCounts, mint, storedHits } from "../support/tracking/hits.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { startSqlProxy, type SqlProxy } from "../support/faults/proxy.ts";
import { ask, makeSeen, makeSituation } from "../support/faults/situation.ts";

/** How long Postgres is down; FAULT_SECONDS says otherwise. */
const SECONDS = Number(process.env["FAULT_SECONDS"] ?? 3);

/** Consumers come back after pauses that double: at the latest as long again as the outage took, and some more. */
const RECOVERY_MS = (SECONDS * 2 + 30) * 1_000;

let proxy: SqlProxy;
let h: Harness;

beforeAll(async () => {
  proxy = await startSqlProxy();
  h = await startHarness({ databaseUrl: proxy.url, vars: { DOCUMENT_FRESH_MS: "500" } });
  proxy.target = h.endpoint.port;
});
afterAll(async () => {
  await h.close();
  await proxy.close();
});

it(
  `${SECONDS} seconds without Postgres cost no answer of a placement seen before and no event`,
  { timeout: SECONDS * 1_000 + RECOVERY_MS + 30_000 },
  async () => {
    const { inventory, offer, seen } = await makeSituation(h);
    const placements = [seen, await makeSeen(h, inventory), await makeSeen(h, inventory)];
    const { privateKey: token } = inventory.publisher;
    const answers = new Map<string, number>();
    const count = (what: string) => answers.set(what, (answers.get(what) ?? 0) + 1);
    let sent = 0;
    const shoppers = async (placementId: string, end: number) => {
      while (Date.now() < end) {
        const { status, ids } = await ask(h, inventory, placementId);
        count(`odata ${status} ${ids.includes(offer.id)}`);
        const hit = mint(offer.id, { placementId });
        count(`beacon ${(await h.fetch(`/vdata?t=${hit}`)).status}`);
        count(`click ${(await h.fetch(`/click?t=${hit}`, { redirect: "manual" })).status}`);
        sent += 2;
      }
    };
    const manager = async (end: number) => {
      while (Date.now() < end) {
        const { status, headers } = await api(h, "GET", "/api/site", { token });
        count(`management ${status} ${headers.has("retry-after")}`);
      }
    };
    const run = async (seconds: number) => {
      const end = Date.now() + seconds * 1_000;
      await Promise.all([...placements.map((id) => shoppers(id, end)), manager(end)]);
    };
    const expected = ["beacon 204", "click 302", "odata 200 true"];

    await run(1);
    expect([...answers.keys()].sort()).toEqual([...expected, "management 200 false"].sort());
    answers.clear();
    await proxy.set("refuse");
    await run(SECONDS);
    expect([...answers.keys()].sort()).toEqual([...expected, "management 503 true"].sort());
    answers.clear();
    await proxy.set("none");
    await run(1);
    expect([...answers.keys()].sort()).toEqual([...expected, "management 200 false"].sort());

    await h.until(
      () => storedHits(h, offer.id),
      (found) => found >= sent,
      RECOVERY_MS,
    );
    expect(await storedHits(h, offer.id)).toBe(sent);
    await expectExactCounts(h);
    expect(await h.rows("select * from tracking_rejects")).toEqual([]);
    expect(h.logs().join("\n")).toMatch(/events come again in \d+ s/);
  },
);
