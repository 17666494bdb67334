import { beforeAll, describe, expect, it } from "vitest";
import { api } from "../../../support/api.ts";
import { requestOffers } from "../../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const MAX_BYTES = 8 * 1024;

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiserId: string;

beforeAll(async () => {
  h = await sharedHarness();
  inventory = await makeInventory(h.db);
  advertiserId = (await makeAdvertiser(h.db)).id;
});

const long = "漢".repeat(10_000);
const admin = SECRETS.ADMIN_TOKEN;

describe("an error about much that is wrong", () => {
  const requests: [string, number, string, () => ReturnType<typeof api>][] = [
    [
      "500 wrong countries",
      400,
      "VALIDATION_FAILED",
      () => {
        const countries = Array.from({ length: 500 }, () => "nowhere");
        const body = { ...offerBody(advertiserId), targeting: { countries } };
        return api(h, "POST", "/api/v1/offers", { token: admin, body });
      },
    ],
    [
      "a long status",
      400,
      "INVALID_FIELD_VALUE",
      () =>
        api(h, "PATCH", `/api/site/${inventory.site.id}/status`, {
          token: inventory.publisher.privateKey,
          body: { status: long },
        }),
    ],
    [
      "a long id",
      404,
      "RESOURCE_NOT_FOUND",
      () => api(h, "GET", `/api/site/${"x".repeat(12_000)}`, { token: inventory.publisher.privateKey }),
    ],
    [
      "an unknown path that is long",
      404,
      "NOT_FOUND",
      () => api(h, "GET", `/api/${"x".repeat(12_000)}`, { token: admin }),
    ],
  ];

  it.each(requests)("has at most 8 KB: %s", async (_, status, code, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const error = answer.json as { code?: string; error: string | { code: string } };
    expect(error.code ?? (error.error as { code: string }).code).toBe(code);
    expect(new TextEncoder().encode(JSON.stringify(error)).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  it("has at most 8 KB: every parameter of the offer endpoint", async () => {
    const wrong = "x".repeat(600);
    const { publisher } = inventory;
    const names = ["count", "at.email", "at.phone", "at.country", "at.language", "at.amount", "at.currency"];
    const params = Object.fromEntries(names.map((name) => [name, wrong]));
    const response = await requestOffers(h, {
      ...params,
      publicKey: publisher.publicKey,
      placementId: "x".repeat(5_000),
    });
    expect(response.status).toBe(400);
    expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(MAX_BYTES);
    const unknown = await requestOffers(h, { publicKey: publisher.publicKey, placementId: "x".repeat(12_000) });
    expect(unknown.status).toBe(404);
    expect((await unknown.arrayBuffer()).byteLength).toBeLessThanOrEqual(MAX_BYTES);
  });
});
