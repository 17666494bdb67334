import { beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { wrapped } from "../../../support/api.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { makeReport, makeReporter, type Reporter } from "../../../support/tracking/conversions.ts";
import type { RequestInit } from "../../../support/worker-fetch.ts";

let h: Harness;
let reporter: Reporter;

beforeAll(async () => {
  h = await sharedHarness();
  reporter = await makeReporter(h);
});

const read = async (path: string, init?: RequestInit) => {
  const response = await h.fetch(path, init);
  return [response.status, await response.json()] as const;
};
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const query = (fields: Record<string, string>) => `/conversion?${new URLSearchParams(fields).toString()}`;

/** Makes a click, and what a report of it says, with the secret. */
const given = async () => {
  const offer = await reporter.offer();
  const { click, fields } = makeReport(offer.id);
  await recordHits(h.db, [click]);
  const { clickId, transactionId } = fields;
  return { offer, fields: { clickId, transactionId, secret: reporter.secret } };
};
const storedOf = (offerId: string) =>
  h.rows("select outcome from events where offer_id = $1 and kind = 'conversion'", [offerId]);

/** What browsers say of an image that a page loads. */
const image = { accept: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5" };

describe("a secret in the URL", () => {
  it("is taken from a pixel, which gets an image", async () => {
    const { offer, fields } = await given();
    for (const _ of ["first", "again"]) {
      const response = await h.fetch(query(fields), { headers: image });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/gif"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
    expect(await storedOf(offer.id)).toEqual([{ outcome: "counted" }]);
  });

  it("of a pixel is checked like any other", async () => {
    const { offer, fields } = await given();
    const secret = makeKey("conversion");
    expect(await read(query({ ...fields, secret }), { headers: image })).toEqual([401, wrapped("UNAUTHORIZED")]);
    const both = { ...image, ...bearer(secret) };
    expect(await read(query(fields), { headers: both })).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect(await storedOf(offer.id)).toEqual([]);
  });

  it.each<[string, RequestInit]>([
    ["a GET of anything", { headers: { accept: "*/*" } }],
    ["a GET without Accept", {}],
    ["a page", { headers: { accept: "text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8" } }],
    ["what wants no image", { headers: { accept: "image/*;q=0, */*" } }],
    ["a POST", { method: "POST", headers: image }],
  ])("is refused from %s, and so is one in a body", async (_, init) => {
    const { offer, fields } = await given();
    expect(await read(query(fields), init)).toEqual([401, wrapped("UNAUTHORIZED")]);
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      const body = type.endsWith("json") ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
      const sent = { method: "POST", headers: { "content-type": type }, body };
      expect(await read("/conversion", sent)).toEqual([401, wrapped("UNAUTHORIZED")]);
    }
    expect(await storedOf(offer.id)).toEqual([]);
  });
});
