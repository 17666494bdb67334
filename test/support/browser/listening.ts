import { thankYouPage } from "./shop.ts";
import { eventually, type Store } from "./store.ts";

/** Opens a page, and notes what it writes to the console and which offers it asks for. */
export const openListening = async (store: Store, body: string) => {
  const visit = await store.visit("");
  const [heard, asked]: [string[], URL[]] = [[], []];
  visit.page.on("console", (message) => heard.push(`${message.type()} ${message.text()}`));
  visit.page.on("request", (request) => {
    if (request.url().includes("/api/odata?")) asked.push(new URL(request.url()));
  });
  await visit.page.goto(store.shop.open({ body: thankYouPage(body) }));
  const told = () => heard.filter((text) => text.includes("Lanyap"));
  /** Waits for this many of the script's lines in the console, and returns them in alphabetical order. */
  const warnings = async (count: number) => {
    await eventually(async () => told().length).toBeGreaterThanOrEqual(count);
    await visit.page.waitForTimeout(200);
    return told().toSorted();
  };
  return { ...visit, visit, asked, warnings };
};
