import { beforeAll, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { HOSTILE_NAMES, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory } from "../../support/factories.ts";
import { SECRETS } from "../../support/secrets.ts";
import { makeHit } from "../../support/tracking/hits.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Delivers a message that nobody understands, of a placement of its own. */
const makeReject = async (country = "nowhere") => {
  const made = await makeInventory(store.h.db);
  const id = newId("event");
  const hit = makeHit({ placementId: made.placement.id });
  await store.h.deliver([{ id, body: { type: "hit", hit: { ...hit, country } } }]);
  return { id, ...made };
};
const OPERATIONS = "/console/operations";

it("shows how the service is, and tries rejected messages again", async () => {
  const { id } = await makeReject();
  const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, OPERATIONS);
  const health = page.getByRole("region", { name: "Health" });
  await health.getByText("Healthy", { exact: true }).waitFor();
  expect(await health.getByText("Answers", { exact: true }).count()).toBe(2);
  const again = page.getByRole("button", { name: /^Try .*again$/ });
  expect(await again.isDisabled()).toBe(true);
  await page.getByLabel(`Message ${id}`).check();
  await again.click();
  await page.getByText("1 message will be tried again within a minute or so.").waitFor();
  await page.getByRole("table", { name: "Dead letters" }).getByText(id, { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

it("tells when something fails, and when a message is gone", async () => {
  const { id } = await makeReject();
  const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, OPERATIONS);
  await page.getByLabel(`Message ${id}`).check();
  await store.h.rows("delete from tracking_rejects where id = $1", [id]);
  await page.getByRole("button", { name: "Try 1 again" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").innerText()).toMatch(/NOT_FOUND · request req_/);
  const checks = { postgres: "failed", kv: "ok" };
  const json = {
    status: "failed",
    checks,
    outboxAgeSeconds: null,
    deadLetters: 3,
    cronLastRunAt: "2020-01-01T00:00:00Z",
  };
  await page.route("**/health?deep=1", (route) => route.fulfill({ status: 503, json }));
  await page.getByRole("region", { name: "Health" }).getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Something is failing").waitFor();
  await page.getByText("Does not answer").waitFor();
  await page.getByText("Late", { exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);
});

it("shows what is stored, what the cron did, for how long rows are kept, and which version answers", async () => {
  await store.h.rows(
    `insert into leases (name, holder, held_until) values ('publishing the outbox', 'a run', now())
     on conflict do nothing`,
  );
  const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, OPERATIONS);
  const state = page.getByRole("region", { name: "Storing, cron and retention" });
  await state.getByRole("rowheader", { name: "Publishing the outbox" }).waitFor();
  await state.getByRole("row", { name: /^Clicks 60 days/ }).waitFor();
  expect(await state.getByRole("table", { name: "Retention" }).getByRole("rowheader").count()).toBe(6);
  expect(await state.innerText()).toMatch(/a minute[^]*Version\s+0\.1\.0/);
  expect(problems).toEqual([]);
});

it("lists the changes that wait to be published, a page at a time, and sees them go", async () => {
  // Documents of nobody, before all others that wait.
  const of = newId("placement");
  await store.h.rows(
    `insert into publish_outbox (id, document_key, created_at) overriding system value
     select n - 1000, 'placement:${of}' || n, now() - interval '300 days' + n * interval '1 second' from generate_series(1, 26) n`,
  );
  const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, OPERATIONS);
  const outbox = page.getByRole("region", { name: "Changes to publish" });
  const row = (n: number) => outbox.getByRole("rowheader", { name: `placement:${of}${n}`, exact: true });
  await row(1).waitFor();
  expect(await outbox.getByRole("row").nth(1).innerText()).toMatch(/1\s+10 months ago\s+1$/);
  await outbox.getByText(/^1–25 of \d+$/).waitFor();
  await outbox.getByRole("button", { name: "Next" }).click();
  await row(26).waitFor();
  expect(await findings(page)).toEqual([]);
  await store.h.rows("delete from publish_outbox where document_key like $1", [`placement:${of}%`]);
  await outbox.getByRole("button", { name: "Refresh" }).click();
  await row(26).waitFor({ state: "detached" });
});

it("shows a publisher its own messages, and lets it try them again where it may change something", async () => {
  const [own, other] = [await makeReject(), await makeReject()];
  const { page } = await visitConsole(store, own.publisher.privateKey);
  const line = page.getByRole("listitem").filter({ hasText: "Messages not understood" });
  await line.getByRole("link").click();
  await page.getByRole("heading", { name: "Messages that were not counted", level: 1 }).waitFor();
  await page.getByLabel(`Message ${own.id}`).check();
  expect(await page.getByText(other.id).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Try 1 again" }).click();
  await page.getByRole("table", { name: "Dead letters" }).getByText(own.id, { exact: true }).waitFor();
  await store.h.rows("update api_tokens set access = 'READ' where publisher_id = $1", [own.publisher.id]);
  const { page: reading } = await visitConsole(store, own.publisher.privateKey, "/console/messages");
  await reading.getByText(own.id, { exact: true }).first().waitFor();
  expect(await reading.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

/** Opens the messages of a publisher that has 102 rejected ones, and ticks all of them. */
const tickMany = async () => {
  const own = await makeReject();
  const ids = Array.from({ length: 101 }, () => newId("event"));
  const hit = { ...makeHit({ placementId: own.placement.id }), country: "nowhere" };
  await store.h.deliver(ids.map((id) => ({ id, body: { type: "hit", hit } })));
  const visited = await visitConsole(store, own.publisher.privateKey, "/console/messages");
  const list = visited.page.getByRole("region", { name: "Rejected messages" });
  const all = list.getByLabel("All on this page");
  for (const part of ["1–25", "26–50", "51–75", "76–100", "101–102"]) {
    await list.getByText(`${part} of 102`).waitFor();
    // Until its rows are there, those of the page before stand, ticked.
    await eventually(() => all.isChecked()).toBe(false);
    await all.check();
    if (part !== "101–102") await list.getByRole("link", { name: "Next" }).click();
  }
  return { ...visited, list };
};

it("tries more messages again than the service takes at once", async () => {
  const { page, list, problems } = await tickMany();
  await page.getByRole("button", { name: "Try 102 again" }).click();
  await page.getByText("102 messages will be tried again within a minute or so.").waitFor();
  await list.getByRole("button", { name: "Try again" }).waitFor();
  expect(problems).toEqual([]);
});

it("leaves ticked what was not tried again, where some of many are refused", async () => {
  const { page, list } = await tickMany();
  const last =
    (await list
      .getByRole("checkbox", { name: /^Message / })
      .last()
      .getAttribute("aria-label")) ?? "";
  await store.h.rows("delete from tracking_rejects where id = $1", [last.replace("Message ", "")]);
  await page.getByRole("button", { name: "Try 102 again" }).click();
  await page.getByText("100 messages will be tried again within a minute or so.").waitFor();
  expect(await page.getByRole("alert").innerText()).toMatch(/NOT_FOUND/);
  await list.getByRole("button", { name: "Try 2 again" }).waitFor();
});

it("is the administrator's alone", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, OPERATIONS);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  expect(await page.getByRole("link", { name: "Operations" }).count()).toBe(0);
});

it.each([
  [1280, "light"],
  [390, "dark"],
  [320, "light"],
] as const)(
  "has nothing that axe-core finds, at %d pixels, %s, also with hostile texts",
  async (width, colorScheme) => {
    const made = [];
    for (const name of HOSTILE_NAMES) made.push(await makeReject(name));
    const options = { viewport: { width, height: 900 }, colorScheme };
    const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, OPERATIONS, options);
    await page.getByText("Healthy", { exact: true }).waitFor();
    await page.getByLabel(`Message ${made[0]?.id}`).waitFor();
    for (const message of await page.getByText("The message", { exact: true }).all()) await message.click();
    expect(await findings(page)).toEqual([]);
    await eventually(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/operations-${width}.png`, fullPage: true });
    expect(await page.title()).toBe("Operations · Lanyap console");
    expect(problems).toEqual([]);
  },
);
