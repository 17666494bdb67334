import { beforeAll, describe, expect, it } from "vitest";
import app from "../../../functions/app.ts";
import { demo } from "../../../db/demo/network.ts";
import { askOffers, requestOffers } from "../../support/ask-offers.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const MANAGED = [
  ...new Set(
    app.routes
      .filter(({ method, path }) => method !== "ALL" && /^\/(?:api\/(?!odata)|conversion)/.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, "x")}`),
  ),
];

const headersOf = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const answer = await h.fetch(path, { method, headers });
  return [answer.headers.get("x-content-type-options"), answer.headers.get("cache-control")];
};

describe("browsers take an answer of management for what it is, and keep none:", () => {
  it.each(MANAGED)("%s", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    expect(await headersOf(method, path)).toEqual(["nosniff", "no-store"]);
  });

  it("nor one that has data, or says that there is none", async () => {
    const headers = { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}` };
    expect((await h.fetch("/api/v1/platforms", { headers })).status).toBe(200);
    for (const path of ["/api/v1/platforms", "/api/nothing", "/health"]) {
      expect(await headersOf("GET", path, headers)).toEqual(["nosniff", "no-store"]);
    }
  });

  it("but offers come with no header more", async () => {
    const asked = { publicKey: demo.publicKey, placementId: demo.placements.live };
    expect((await askOffers(h, asked)).offers.length).toBeGreaterThan(0);
    const answer = await requestOffers(h, asked);
    expect([...answer.headers.keys()].toSorted()).toEqual([
      "access-control-allow-origin",
      "cache-control",
      "content-length",
      "content-type",
      "x-request-id",
    ]);
  });
});
