import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory, makePublisher, makeSite } from "../../../support/factories.ts";
import { api, dataOf } from "../../../support/api.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("looks are set beside a preview by the real script, which counts nothing, and are saved", async () => {
  const { publisher, placement } = await makeInventory(store.h.db, { placement: { data: { brandName: "Before" } } });
  const token = publisher.privateKey;
  const { page, context, problems } = await visitConsole(store, token, `/console/placements/${placement.id}/looks`);
  const asked: string[] = [];
  context.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const preview = page.locator(".shop");
  await preview.getByText("Before", { exact: true }).waitFor();
  await page.getByLabel("Name above the offers").fill("After & Sons");
  await preview.getByText("After & Sons", { exact: true }).waitFor();
  await page.getByLabel("Colour of “accept”").selectOption("tertiary");
  await page.getByLabel("Columns", { exact: true }).pressSequentially("1fr 2fr 1fr");
  await page.getByRole("button", { name: "Show on a phone" }).click();
  await page.getByRole("button", { name: "Show dark" }).click();
  await preview.getByText("After & Sons", { exact: true }).waitFor();
  await preview.locator(".decline").click();
  expect(asked.filter((path) => /odata|vdata|click|close/.test(path))).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. Pages show it").waitFor();
  const { data } = dataOf<{ data: unknown }>(await api(store.h, "GET", `/api/placements/${placement.id}`, { token }));
  expect(data).toEqual({
    brandName: "After & Sons",
    templateConfig: {
      buttonConfig: { primaryButtonKind: "tertiary" },
      layoutConfig: { gridColumnsDesktop: ["1fr", "2fr", "1fr"] },
    },
  });
  expect(problems).toEqual([]);
});

it("offers appear in the preview without the wait that a placement has", async () => {
  const placed = await makeInventory(store.h.db, { placement: { data: { adDisplayDelay: 60_000 } } });
  const path = `/console/placements/${placed.placement.id}/looks`;
  const { page } = await visitConsole(store, placed.publisher.privateKey, path);
  await page.locator(".shop").getByText("A bag of freshly roasted coffee, free").waitFor();
  expect(await page.getByLabel("Wait before offers appear").inputValue()).toBe("60000");
  const answered = await page.evaluate<Record<string, unknown>>(
    "fetch('/api/odata?placementId=preview').then((answer) => answer.json())",
  );
  expect(answered).toMatchObject({ adDisplayDelay: 0 });
  expect(answered["templateData"]).not.toHaveProperty("adDisplayDelay");
});

it("what is typed right after saving stays, and is saved with the version that the first was answered with", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  const token = publisher.privateKey;
  const { page } = await visitConsole(store, token, `/console/placements/${placement.id}/looks`);
  const name = page.getByLabel("Name above the offers");
  await name.fill("First");
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/placements/${placement.id}`, async (route) => {
    if (route.request().method() === "GET") await held.promise;
    await route.fallback();
  });
  const readAnew = page.waitForResponse((response) => response.request().method() === "GET");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. Pages show it").waitFor();
  await name.fill("First and second");
  held.resolve();
  await readAnew;
  await eventually(() => page.getByRole("button", { name: "Save" }).isEnabled()).toBe(true);
  expect(await name.inputValue()).toBe("First and second");
  await page.getByRole("button", { name: "Save" }).click();
  const stored = async () =>
    dataOf<{ data: unknown }>(await api(store.h, "GET", `/api/placements/${placement.id}`, { token })).data;
  await eventually(stored).toEqual({ brandName: "First and second" });
  expect(await page.getByText("Somebody has changed this in the meantime.").count()).toBe(0);
});

it.each([1280, 375])(
  "the preview is as wide as there is room for, at %d pixels, and no wider than a phone",
  async (width) => {
    const { publisher, placement } = await makeInventory(store.h.db);
    const options = { viewport: { width, height: 900 } };
    const path = `/console/placements/${placement.id}/looks`;
    const { page } = await visitConsole(store, publisher.privateKey, path, options);
    const widths = () =>
      page.evaluate<number[]>(
        "[document.querySelector('.shop')].flatMap((s) => [s.offsetWidth, s.parentElement.clientWidth])",
      );
    await page.locator(".shop article").first().waitFor();
    const [wide, room = 0] = await widths();
    expect(wide).toBe(room);
    await page.getByRole("button", { name: "Show on a phone" }).click();
    await eventually(widths).toEqual([Math.min(375, room), room]);
  },
);

it("what a look may not be is told at its field", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/placements/${placement.id}/looks`);
  await page.getByLabel("Space between columns").fill("wide");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".wrong").waitFor();
  expect(await page.locator(".wrong").textContent()).toBe("must be a width such as 16px");
  await page.getByLabel("Space between columns").fill("");
  await page.getByLabel("Columns", { exact: true }).fill("1fr wide");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(() => page.getByLabel("Columns", { exact: true }).getAttribute("aria-invalid")).toBe("true");
});

it("what is taken back leaves nothing wrong, and what is as it was is not unsaved", async () => {
  const data = { templateConfig: { textConfig: { titleSize: "large" } }, brandName: "Oak", adDisplayDelay: 5 };
  const { publisher, placement } = await makeInventory(store.h.db, { placement: { data } });
  const { page } = await visitConsole(store, publisher.privateKey, `/console/placements/${placement.id}/looks`);
  const [save, back] = ["Save", "Discard changes"].map((name) => page.getByRole("button", { name, exact: true }));
  await page.getByLabel("Columns", { exact: true }).fill("5foo 1fr");
  await save?.click();
  await page.getByRole("alert").waitFor();
  await back?.click();
  await eventually(() => page.getByRole("alert").count()).toBe(0);
  expect(await page.locator(".wrong").count()).toBe(0);
  for (const text of ["Ash", "Oak"]) await page.getByLabel("Name above the offers").fill(text);
  for (const size of ["", "large"]) await page.getByLabel("Title", { exact: true }).selectOption(size);
  await eventually(() => save?.getAttribute("aria-disabled") ?? Promise.resolve(null)).toBe("true");
  await page.getByRole("link", { name: "Sites", exact: true }).click();
  await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor();
});

it("a token that only reads sees looks, changes none, and is offered nothing that it may not use", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  await store.h.rows("update api_tokens set access = 'READ' where publisher_id = $1", [publisher.id]);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/placements/${placement.id}/looks`);
  await page.getByText("Your token is read-only").waitFor();
  expect(await page.getByLabel("Name above the offers").isDisabled()).toBe(true);
  expect(await page.getByRole("link", { name: "Explain", exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Show dark" }).click();
  await page.getByRole("button", { name: "Show light" }).waitFor();
});

it("many sites are switched at once, as often as the service allows, and what it refuses is told", async () => {
  const publisher = await makePublisher(store.h.db);
  for (const n of [1, 2, 3, 4]) await makeSite(store.h.db, publisher.id, { name: `Bulk ${n}` });
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  let calls = 0;
  await page.route("**/api/site/*/ads", async (route) => {
    calls += 1;
    // The second call meets the limit, which asks to wait for a second; the real limit is a minute long.
    if (calls !== 2) return route.fallback();
    const error = { code: "RATE_LIMIT_EXCEEDED", message: "Too many", details: { retryAfter: 1 } };
    return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { success: false, error } });
  });
  await page.getByLabel("All on this page").check();
  await page.getByRole("button", { name: "Switch ads off …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch ads off" }).click();
  await page.getByText("4 of 4: all done.").waitFor();
  expect(calls).toBe(5);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await eventually(() => page.getByText("Ads off", { exact: true }).count()).toBe(4);
  expect(await store.h.rows("select distinct ads_enabled from sites where publisher_id = $1", [publisher.id])).toEqual([
    { ads_enabled: false },
  ]);
});
