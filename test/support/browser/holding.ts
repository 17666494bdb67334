import type { Page } from "playwright-core";

/** Holds back the answers of an address: `asked` resolves when the first is waited for, `letGo` sends them. */
export const holding = async (
  page: Page,
  address: string | RegExp,
): Promise<{ asked: Promise<void>; letGo: () => void }> => {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(address, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  return { asked: asked.promise, letGo: held.resolve };
};
