import { afterAll, beforeAll, expect, it } from "vitest";
import { isUnavailable } from "../../db/core/errors.ts";
import { oldestLetters } from "../../functions/events/dead-letters.ts";
import { api } from "../support/api.ts";
import { makeInventory } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";

const never = () => new Promise(() => undefined);

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ unavailable: ["DEAD_LETTERS"] });
});
afterAll(() => h.close());

it("management that needs the dead letters says to come again while KV fails", async () => {
  const { publisher } = await makeInventory(h.db);
  await h.rows("insert into tracking_rejects (id, reason, body) values ('away', 'reason', '{}')");
  const session = { sessionId: "s-1" };
  const answers = [
    await api(h, "GET", "/api/v1/dead-letters", { token: publisher.privateKey }),
    await api(h, "POST", "/api/v1/rejects/replay", { token: SECRETS.ADMIN_TOKEN, body: { ids: ["away"] } }),
    await api(h, "DELETE", `/api/v1/publishers/${publisher.id}/sessions`, {
      token: publisher.privateKey,
      body: session,
    }),
  ];
  for (const { status, json, headers } of answers) {
    expect([status, json]).toMatchObject([503, { success: false, error: { code: "SERVICE_UNAVAILABLE" } }]);
    expect(headers.get("retry-after")).toBe("5");
  }
});

it("a KV that never answers is not waited for without end", async () => {
  const env = { DEAD_LETTERS: { list: never } } as unknown as Env;
  expect(await oldestLetters(env).catch(isUnavailable)).toBe(true);
});
