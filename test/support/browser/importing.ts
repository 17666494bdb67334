import type { BrowserContextOptions, Page } from "playwright-core";
import { makeAdvertiser, makeOffer, makePlatform, offerBody } from "../factories.ts";
import { visitConsole, type Visited } from "./console.ts";
import type { Store } from "./store.ts";

/** Opens the console's page on which offers are imported. */
export const visitImport = (store: Store, token: string, options: BrowserContextOptions = {}): Promise<Visited> =>
  visitConsole(store, token, "/console/offers/import", options);

/** Makes a platform with an advertiser, whose offers are shown only at that platform's publishers. */
export const makeOwner = async ({ h }: Store) => {
  const platform = await makePlatform(h.db);
  return { platform, advertiser: await makeAdvertiser(h.db, { platformId: platform.id }) };
};

/** Makes three rows: a new offer, a change of an existing one, and a row with two mistakes. */
export const makeRows = async ({ h }: Store, advertiserId: string) => {
  const before = await makeOffer(h.db, advertiserId, { name: "Before", title: "Old" });
  return [
    offerBody(advertiserId, { name: "New tea" }),
    { id: before.id, title: "Newer" },
    offerBody(advertiserId, { name: "=Wrong", bidMicros: -1, title: "" }),
  ] as const;
};

/** Chooses a file of rows. */
export const chooseRows = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

/** Tries the import of what was chosen. */
export const attempt = (page: Page): Promise<void> => page.getByRole("button", { name: "Try it first" }).click();

/** Returns what the database has of an advertiser's offers. */
export const offersOf = ({ h }: Store, advertiserId: string) =>
  h.rows("select name, title, status from offers where advertiser_id = $1 order by name", [advertiserId]);
