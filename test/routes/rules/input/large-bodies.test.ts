import { once } from "node:events";
import { request } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { makePlatform } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

/** Sends a body to its end, whatever is answered meanwhile, and returns the status of the answer. */
const sent = async (path: string, token: string, bytes: number): Promise<number | undefined> => {
  const headers = { "content-type": "application/x-ndjson", "content-length": bytes, authorization: `Bearer ${token}` };
  const asked = request(`${h.url}${path}`, { method: "POST", headers });
  const answered = once(asked, "response") as Promise<[{ statusCode?: number; resume: () => void }]>;
  // Sent in parts, so that the service may answer long before the last of them.
  const part = Buffer.alloc(64 * 1024, "x");
  for (let left = bytes; left > 0; left -= part.length) {
    if (!asked.write(part.subarray(0, left))) await Promise.race([once(asked, "drain"), answered]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  asked.end();
  const [response] = await answered;
  response.resume();
  return response.statusCode;
};

it.each([
  ["a body that is too large", "/api/v1/offers/import", "", 413],
  ["a token that is none", "/api/v1/offers/import", "x", 401],
  ["a body for a route that takes a small one", "/api/v1/advertisers", "", 413],
  ["a path that is none", "/api/v1/nothing", "", 404],
  ["a method that is none of its path", "/api/v1/categories", "", 405],
])("says why it refuses %s, though the client still sends", async (_, path, suffix, status) => {
  const { token } = await makePlatform(h.db);
  for (let turn = 0; turn < 5; turn++) expect(await sent(path, token + suffix, 8 * 1024 * 1024)).toBe(status);
});
