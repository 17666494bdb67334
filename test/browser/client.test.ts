import { beforeAll, expect, it } from "vitest";
import { openStore, type Store } from "../support/browser/store.ts";
import { bundled } from "../support/client.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("gets offers on a page of another origin, and says what is refused", async () => {
  const { placementId, publicKey } = await store.placement(2);
  const script = await bundled(
    `import { createClientOf } from "lanyap-client";
    import { getOffers } from "lanyap-client/operations";
    const lanyap = createClientOf(${JSON.stringify({ url: store.h.url, token: publicKey, timeoutMs: 120_000 })}, { getOffers });
    const asked = { placementId: "${placementId}", sessionId: "s-1", count: 2, at: { orderid: "1001", country: "US" } };
    window.told = Promise.all([
      lanyap.getOffers(asked).then(({ data }) => data.offers.map(({ title }) => title)),
      lanyap.getOffers({ ...asked, placementId: "plc_0" }).catch(({ name, code, requestId }) => [name, code, requestId !== null]),
    ]);`,
    "iife",
  );
  const { page, errors } = await store.visit(
    `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><script>${script}</script>`,
  );
  expect(await page.evaluate("window.told")).toEqual([
    expect.arrayContaining(["Offer 1", "Offer 2"]),
    ["LanyapError", "NOT_FOUND", true],
  ]);
  expect(errors).toEqual([]);
});
