import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { findings } from "../../../support/browser/axe.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const TEXTS = {
  name: "Bolder",
  title: "Bolder",
  header: "For you",
  description: "Bolder texts",
  ctaText: "Yes",
  declineButtonText: "No",
  destinationUrl: "https://shop.example/bolder",
};

/** Makes a platform with one of everything that has an editor. */
const makeWorld = async () => {
  const platform = await makePlatform(store.h.db);
  const made = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea", includeSites: [made.site.id] });
  const answer = await api(store.h, "POST", `/api/v1/offers/${offer.id}/creatives`, {
    token: platform.token,
    body: TEXTS,
  });
  return { platform, advertiser, offer, creative: dataOf<{ id: string }>(answer), ...made };
};
type World = Awaited<ReturnType<typeof makeWorld>>;

/** Describes an editor: where it is, which field is changed, and what of the API has the same. */
type Editor = {
  of: "publisher" | "platform";
  page: (world: World) => string;
  api: (world: World) => string;
  open: string | null;
  field: string;
  body: (text: string) => object;
  stored: (world: World) => Promise<unknown>;
};

const column = async (table: string, id: string, name: string): Promise<unknown> =>
  (await store.h.rows<{ value: unknown }>(`select ${name} as value from ${table} where id = $1`, [id]))[0]?.value;

const EDITORS: Record<string, Editor> = {
  publisher: {
    of: "publisher",
    page: () => "/console/account",
    api: ({ publisher }) => `/api/v1/publishers/${publisher.id}`,
    open: "Edit",
    field: "Contact’s name",
    body: (contactName) => ({ contactName }),
    stored: ({ publisher }) => column("publishers", publisher.id, "contact_name"),
  },
  placement: {
    of: "publisher",
    page: ({ placement }) => `/console/placements/${placement.id}`,
    api: ({ placement }) => `/api/placements/${placement.id}`,
    open: "Edit",
    field: "Name",
    body: (name) => ({ name }),
    stored: ({ placement }) => column("placements", placement.id, "name"),
  },
  looks: {
    of: "publisher",
    page: ({ placement }) => `/console/placements/${placement.id}/looks`,
    api: ({ placement }) => `/api/placements/${placement.id}`,
    open: null,
    field: "Space between columns",
    body: (gap) => ({ data: { templateConfig: { layoutConfig: { gridGap: gap } } } }),
    stored: ({ placement }) => column("placements", placement.id, "data->'templateConfig'->'layoutConfig'->>'gridGap'"),
  },
  advertiser: {
    of: "platform",
    page: ({ advertiser }) => `/console/advertisers/${advertiser.id}`,
    api: ({ advertiser }) => `/api/v1/advertisers/${advertiser.id}`,
    open: "Edit",
    field: "Name",
    body: (name) => ({ name }),
    stored: ({ advertiser }) => column("advertisers", advertiser.id, "name"),
  },
  creative: {
    of: "platform",
    page: ({ offer }) => `/console/offers/${offer.id}`,
    api: ({ offer, creative }) => `/api/v1/offers/${offer.id}/creatives/${creative.id}`,
    open: "Edit",
    field: "Title",
    body: (title) => ({ title }),
    stored: ({ creative }) => column("offer_creatives", creative.id, "title"),
  },
};

describe("an editor, of a", () => {
  it.each(Object.entries(EDITORS))("%s: says where somebody else was first, and asks what to do", async (_, editor) => {
    const world = await makeWorld();
    const token = editor.of === "publisher" ? world.publisher.privateKey : world.platform.token;
    const theirs = async (text: string) =>
      dataOf(await api(store.h, "PUT", editor.api(world), { token, body: editor.body(text) }));
    const { page } = await visitConsole(store, token, editor.page(world));
    if (editor.open) await page.getByRole("button", { name: editor.open, exact: true }).click();
    const field = page.getByRole("textbox", { name: editor.field, exact: true });
    await field.fill("11px");
    await theirs("12px");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody has changed this in the meantime.").waitFor();
    expect(await field.inputValue()).toBe("11px");
    await page.getByRole("button", { name: "Load the new version" }).click();
    await eventually(() => field.inputValue()).toBe("12px");
    expect(await page.evaluate("document.activeElement.tagName")).not.toBe("BODY");
    await field.fill("13px");
    await theirs("14px");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody has changed this in the meantime.").waitFor();
    await field.fill("15px");
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await eventually(() => editor.stored(world)).toBe("15px");
    await eventually(() => page.getByText("Somebody has changed this in the meantime.").count()).toBe(0);
    await eventually(() => page.evaluate("document.activeElement.textContent")).toBe(editor.open ?? "Save");
  });

  it.each(["publisher", "advertiser"] as const)("%s: says that a name is taken", async (name) => {
    const [world, other] = [await makeWorld(), await makeWorld()];
    const sibling = await makeAdvertiser(store.h.db, { platformId: world.platform.id, name: "Taken" });
    const editor = EDITORS[name]!;
    const token = editor.of === "publisher" ? world.publisher.privateKey : world.platform.token;
    const { page } = await visitConsole(store, token, editor.page(world));
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const field = page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true });
    await field.fill(name === "publisher" ? other.publisher.name : sibling.name);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^(?:RESOURCE_)?CONFLICT · request/).waitFor();
    expect(await column("advertisers", world.advertiser.id, "name")).toBe(world.advertiser.name);
    expect(await column("publishers", world.publisher.id, "name")).toBe(world.publisher.name);
  });
});

it("a publisher with an address of another script, or with signs in it, is written to and edited", async () => {
  const contactEmail = "jürgen?r&d@тест.рф";
  const { publisher } = await makeInventory(store.h.db, { publisher: { contactEmail } });
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const link = page.getByRole("link", { name: contactEmail });
  expect(await link.getAttribute("href")).toBe(`mailto:${encodeURIComponent(contactEmail)}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Contact’s name", exact: true }).fill("Jürgen");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(() => column("publishers", publisher.id, "contact_name")).toBe("Jürgen");
  expect(await column("publishers", publisher.id, "contact_email")).toBe(contactEmail);
});

it("what somebody has just changed is not deleted until it was read again", async () => {
  const { platform, offer } = await makeWorld();
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
  await page.getByRole("button", { name: "Delete …" }).click();
  const body = { name: "Not tea" };
  dataOf(await api(store.h, "PUT", `/api/v1/offers/${offer.id}`, { token: platform.token, body }));
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Type its name to confirm").fill("Tea");
  await dialog.getByRole("button", { name: "Delete or archive" }).click();
  await dialog.getByText(/PRECONDITION_FAILED · request/).waitFor();
  const told = await dialog.getByRole("alert").innerText();
  expect(told).toMatch(/^Somebody has changed it meanwhile\. Look at it, then press again\.\n/);
  expect(await column("offers", offer.id, "status")).toBe("active");
  await dialog.getByText("Not tea", { exact: true }).waitFor();
  expect(await dialog.getByRole("button", { name: "Delete or archive" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type its name to confirm").fill("Not tea");
  await dialog.getByRole("button", { name: "Delete or archive" }).click();
  await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
  expect(await store.h.rows("select id from offers where id = $1", [offer.id])).toEqual([]);
});

it("a placement’s name and template can be changed, but not left empty", async () => {
  const { publisher, placement } = await makeWorld();
  const { page } = await visitConsole(store, publisher.privateKey, `/console/placements/${placement.id}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save" });
  await dialog.getByLabel("Name", { exact: true }).fill("Other");
  await dialog.getByLabel("Template").fill("");
  await dialog.getByText("This can be changed, but not left empty").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel("Template").fill("7");
  await dialog.getByLabel("Name", { exact: true }).fill("  ");
  await dialog.getByText("This can be changed, but not left empty").waitFor();
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel("Name", { exact: true }).fill("Other");
  await save.click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  expect(await store.h.rows("select name, template from placements where id = $1", [placement.id])).toEqual([
    { name: "Other", template: 7 },
  ]);
});

describe("a site", () => {
  it("says field by field what is wrong, and of a name that is taken so", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("button", { name: "New site" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Second");
    await page.getByLabel("What it sells").fill("No such thing");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText(/INVALID_FIELD_VALUE · request/).waitFor();
    await page.getByLabel("What it sells").fill("Automotive > Dealerships");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Second", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill(site.name);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/RESOURCE_CONFLICT · request/).waitFor();
    expect(await store.h.count("sites where publisher_id = $1", [publisher.id])).toBe(2);
  });

  it("is not made twice under one name, and who tries is told so and loses nothing", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("button", { name: "New site" }).click();
    const dialog = page.getByRole("dialog", { name: "New site" });
    await dialog.getByLabel("Name", { exact: true }).fill(site.name);
    await dialog.getByLabel("Domain").fill("other.example");
    await dialog.getByRole("button", { name: "Create" }).click();
    const told = dialog.getByRole("alert");
    expect(await told.textContent()).toBe(
      "You already have a site with this name, and nothing was changed. Choose another name, or go to that site.",
    );
    expect(await told.getByRole("link").getAttribute("href")).toBe(`/console/sites/${site.id}`);
    expect(await dialog.getByLabel("Domain").inputValue()).toBe("other.example");
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel("Name", { exact: true }).fill(`${site.name} too`);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: `${site.name} too`, level: 1 }).waitFor();
    const domains = await store.h.rows("select domain from sites where publisher_id = $1 order by created_at", [
      publisher.id,
    ]);
    expect(domains).toEqual([{ domain: await column("sites", site.id, "domain") }, { domain: "other.example" }]);
    expect(problems).toEqual([]);
  });
});
