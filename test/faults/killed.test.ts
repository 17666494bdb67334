import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "../support/api.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { startSqlProxy, type SqlProxy } from "../support/faults/proxy.ts";
import { ask, makeSituation } from "../support/faults/situation.ts";
import { documentKey } from "../../db/documents/keys.ts";
import { storedDocument } from "../support/documents/stored.ts";

let proxy: SqlProxy;
let killed: Harness;
let next: Harness | null = null;

beforeAll(async () => {
  proxy = await startSqlProxy();
  killed = await startHarness({ databaseUrl: proxy.url });
  proxy.target = killed.endpoint.port;
});
afterAll(async () => {
  await next?.close();
  await proxy.close();
});

it("a change whose process was killed before it was published is published by the cron of the next", async () => {
  const { inventory, seen } = await makeSituation(killed);
  const { privateKey: token } = inventory.publisher;
  await killed.cron();
  expect(await killed.rows("select * from publish_outbox")).toEqual([]);
  // The change is committed; its writer gets no answer.
  await proxy.set("hang", (body) => /select \\?"id\\?" from \\?"publish_outbox/.test(body));
  const path = `/api/placements/${seen}/status`;
  expect((await api(killed, "PATCH", path, { token, body: { status: "inactive" } })).status).toBe(200);
  await killed.close();

  next = await startHarness({ postgresUrl: killed.postgresUrl });
  expect(await next.rows("select document_key from publish_outbox")).toEqual([
    { document_key: documentKey.placement(seen) },
  ]);
  await next.cron();
  expect(await next.rows("select * from publish_outbox")).toEqual([]);
  expect(await storedDocument(next, documentKey.placement(seen))).toMatchObject({ value: { status: "inactive" } });
  expect((await ask(next, inventory, seen)).noFill).toBe("placement_inactive");
});
