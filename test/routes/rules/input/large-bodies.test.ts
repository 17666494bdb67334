import { once } from "node:events";
import { request, type ClientRequest } from "node:http";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makePlatform } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

/** Tells in which ways a client says how long its body is: beforehand, or by its end. */
const LENGTHS = ["said", "not said"] as const;

/** Sends a body to its end, whatever is answered meanwhile, and returns the status of the answer. */
const sent = async (path: string, token: string, bytes: number, length: (typeof LENGTHS)[number]) => {
  const headers = { "content-type": "application/x-ndjson", authorization: `Bearer ${token}` };
  const asked = request(`${h.url}${path}`, {
    method: "POST",
    headers: length === "said" ? { ...headers, "content-length": bytes } : headers,
  });
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

describe.each(LENGTHS)("a body whose length is %s", (length) => {
  it.each([
    ["a body that is too large", "/api/v1/offers/import", "", 413],
    ["a token that is none", "/api/v1/offers/import", "x", 401],
    ["a body for a route that takes a small one", "/api/v1/advertisers", "", 413],
    ["a path that is none", "/api/v1/nothing", "", 404],
    ["a method that is none of its path", "/api/v1/categories", "", 405],
  ])("says why it refuses %s, though the client still sends", async (_, path, suffix, status) => {
    const { token } = await makePlatform(h.db);
    for (let turn = 0; turn < 5; turn++) expect(await sent(path, token + suffix, 8 * 1024 * 1024, length)).toBe(status);
  });
});

/** Asks with a body of which only a part comes, as a rule. Ends with the test. */
const begin = (path: string): ClientRequest => {
  const asked = request(`${h.url}${path}`, { method: "POST", headers: { "content-length": 2 ** 40 } });
  onTestFinished(() => void asked.destroy());
  return asked;
};

it("answers a client that stops sending", async () => {
  const asked = begin("/api/v1/nothing");
  asked.write("x");
  const [response] = (await once(asked, "response")) as [{ statusCode?: number }];
  expect(response.statusCode).toBe(404);
});

it("reads no more than so much of a body that never ends", async () => {
  const asked = begin("/api/v1/nothing");
  const ended = new Promise<"ended">((resolve) => {
    for (const event of ["response", "error"]) asked.once(event, () => resolve("ended"));
  });
  const part = Buffer.alloc(64 * 1024, "x");
  const send = async (bytes: number): Promise<number> => {
    if (!asked.write(part) && (await Promise.race([once(asked, "drain"), ended])) === "ended") return bytes;
    return send(bytes + part.length);
  };
  expect(await send(0)).toBeLessThan(64 * 1024 * 1024);
});
