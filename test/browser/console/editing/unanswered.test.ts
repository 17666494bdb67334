import { beforeAll, expect, it } from "vitest";
import { signIn, visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("makes once what is sent again because no answer came, until signing out forgets it", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const keys = () => store.h.count("public_keys where publisher_id = $1", [publisher.id]);
  const sent: (string | undefined)[] = [];
  await page.route("**/public-keys", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent.push(route.request().headers()["idempotency-key"]);
    // The service does it, and its answer is lost on the way.
    await route.fetch();
    return route.abort();
  });
  const issue = async (times: number): Promise<void> => {
    await page.getByRole("button", { name: "New key" }).click();
    await eventually(() => Promise.resolve(sent.length)).toBe(times);
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
  };
  const before = await keys();
  await issue(1);
  await issue(2);
  expect(sent[0]).toMatch(/\S/);
  expect(sent[1]).toBe(sent[0]);
  expect(await keys()).toBe(before + 1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, publisher.privateKey);
  await issue(3);
  expect(sent[2]).not.toBe(sent[0]);
  expect(await keys()).toBe(before + 2);
});

it("makes once what is sent again because its answer broke off in its middle", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const keys = () => store.h.count("public_keys where publisher_id = $1", [publisher.id]);
  const before = await keys();
  await page.evaluate(`{
    const send = fetch;
    window.broken = 0;
    window.fetch = async (url, init) => {
      const answer = await send(url, init);
      if (init.method !== "POST" || window.broken > 1) return answer;
      window.broken += 1;
      const body = new ReadableStream({ start: (part) => part.error(new Error("broken off")) });
      return new Response(body, { status: answer.status, headers: answer.headers });
    };
  }`);
  for (const times of [1, 2]) {
    await page.getByRole("button", { name: "New key" }).click();
    await eventually(() => page.evaluate("window.broken")).toBe(times);
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
  }
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByText("There is a new public key.").waitFor();
  expect(await keys()).toBe(before + 1);
});
