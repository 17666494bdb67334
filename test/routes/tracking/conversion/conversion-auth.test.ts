import { beforeAll, describe, expect, it } from "vitest";
import { idSuffix, newId } from "../../../../db/core/ids.ts";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { api, dataOf, wrapped } from "../../../support/api.ts";
import { makeAdvertiser } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { makeReport, makeReporter, type Reporter } from "../../../support/tracking/conversions.ts";
import type { RequestInit } from "../../../support/worker-fetch.ts";

type Keys = { conversionSecret: string; pixelKey: string };

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
const post = (fields: object, secret: string) =>
  read("/conversion", {
    method: "POST",
    headers: { ...bearer(secret), "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const query = (fields: Record<string, string>) => `/conversion?${new URLSearchParams(fields).toString()}`;

/** Makes a click, and what a report of it says, with the secret. */
const given = async (by = reporter) => {
  const offer = await by.offer();
  const { click, fields } = makeReport(offer.id);
  await recordHits(h.db, [click]);
  const { clickId, transactionId } = fields;
  return { offer, fields: { clickId, transactionId, secret: by.secret } };
};
const storedOf = (offerId: string) =>
  h.rows("select outcome from events where offer_id = $1 and kind = 'conversion'", [offerId]);

/** Makes a click, and what a report of it says, with the pixel key. */
const keyed = async () => {
  const { offer, fields } = await given();
  const { secret: _, ...report } = fields;
  return { offer, report, fields: { ...report, pixelKey: reporter.pixelKey } };
};

/** What browsers say of an image that a page loads. */
const image = { accept: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5" };

const REFUSED = [401, wrapped("UNAUTHORIZED")];
const CLICK_ID = `${idSuffix(newId("decision"))}-${idSuffix(newId("offer"))}`;

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

describe("a pixel key", () => {
  it.each<[string, RequestInit, string]>([
    ["an image", { headers: image }, "image/gif"],
    ["a postback", { headers: { accept: "*/*" } }, "application/json"],
    ["a GET without Accept", {}, "application/json"],
  ])("in a URL reports as %s, once", async (_as, init, type) => {
    const { offer, fields } = await keyed();
    for (const _ of ["first", "again"]) {
      const response = await h.fetch(query(fields), init);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    }
    expect(await storedOf(offer.id)).toEqual([{ outcome: "counted" }]);
  });

  it("is checked: neither unknown nor another kind of key reports, nor one beside another's bearer", async () => {
    const { offer, fields } = await keyed();
    const huge = "lan_px_" + "z".repeat(43);
    const others = [makeKey("pixel"), makeKey("conversion"), reporter.secret, huge, `${fields.pixelKey}0`];
    for (const pixelKey of others) {
      expect(await read(query({ ...fields, pixelKey }), { headers: image })).toEqual([401, wrapped("UNAUTHORIZED")]);
    }
    const both = { headers: { ...image, ...bearer(makeKey("conversion")) } };
    expect(await read(query(fields), both)).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect(await storedOf(offer.id)).toEqual([]);
  });

  it("reports nothing of another advertiser's", async () => {
    const { offer, fields } = await keyed();
    const { pixelKey } = await makeReporter(h);
    expect(await read(query({ ...fields, pixelKey }))).toEqual([403, wrapped("FORBIDDEN")]);
    expect(await storedOf(offer.id)).toEqual([]);
  });

  it("does nothing else: it neither lists, asks, posts nor takes back", async () => {
    const { offer, report, fields } = await keyed();
    await h.fetch(query(fields));
    const { pixelKey } = fields;
    const { transactionId } = report;
    const body = JSON.stringify({ ...report, pixelKey });
    const posted = { method: "POST", body, headers: { "content-type": "application/json" } };
    for (const [path, init] of [
      [query({ pixelKey })],
      [query({ pixelKey, transactionId })],
      [query({ pixelKey, transactionId }), { headers: image }],
      [query(fields), { method: "POST" }],
      [query({ pixelKey }), posted],
      ["/conversion", { ...posted, headers: { ...posted.headers, ...bearer(pixelKey) } }],
      [`/conversion/reversal?${new URLSearchParams(fields).toString()}`, { method: "POST" }],
      ["/conversion/reversal", { ...posted, headers: { ...posted.headers, ...bearer(pixelKey) } }],
    ] as [string, RequestInit?][]) {
      expect([path, await read(path, init)]).toEqual([path, [401, wrapped("UNAUTHORIZED")]]);
    }
    expect(await storedOf(offer.id)).toEqual([{ outcome: "counted" }]);
  });

  it("asks nothing: neither what would become of a report, nor what a known one says", async () => {
    const { offer, fields } = await keyed();
    const invalidFields = [{ field: "test", message: "may only be asked with the conversion secret" }];
    const refused = [400, wrapped("VALIDATION_FAILED", { invalidFields })];
    expect(await read(query({ ...fields, test: "true" }))).toEqual(refused);
    const ahead = { headers: { "sec-purpose": "prefetch" } };
    const idle = await Promise.all([
      h.fetch(query({ ...fields, clickId: CLICK_ID }), { method: "HEAD" }),
      h.fetch(query(fields), { method: "HEAD" }),
      h.fetch(query(fields), ahead),
    ]);
    expect(new Set(idle.map(({ status }) => status)).size).toBe(1);
    expect(await storedOf(offer.id)).toEqual([]);
    expect((await h.fetch(query(fields))).status).toBe(200);
    const { transactionId } = fields;
    const other = query({ ...fields, amount: "7", currency: "EUR" });
    const [status, body] = await read(other);
    expect([status, body]).toEqual([409, wrapped("CONFLICT", { transactionId, changed: [] })]);
    expect(JSON.stringify(body)).not.toContain("amount");
  });

  it("ends with the conversion secret", async () => {
    const { offer, fields } = await keyed();
    const { pixelKey } = reporter;
    const path = `/api/v1/advertisers/${reporter.id}/conversion-secret`;
    const rotated = dataOf<Keys>(await api(h, "POST", path, { token: SECRETS.ADMIN_TOKEN }));
    reporter = { ...reporter, secret: rotated.conversionSecret, pixelKey: rotated.pixelKey };
    expect(await read(query({ ...fields, pixelKey }))).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect((await h.fetch(query({ ...fields, pixelKey: rotated.pixelKey }))).status).toBe(200);
    expect(await storedOf(offer.id)).toEqual([{ outcome: "counted" }]);
  });
});

describe("what is sent", () => {
  it.each(["/conversion", "/conversion/reversal"])("is not read without a valid secret: %s", async (path) => {
    const bodies: [type: string, body: string][] = [
      ["application/json", "{"],
      ["application/json", JSON.stringify({ clickId: CLICK_ID, transactionId: "t", amount: "1".repeat(60_000) })],
      ["application/json", JSON.stringify({ transactionId: "x".repeat(70 * 1024) })],
      ["multipart/form-data", "x"],
      ["application/x-www-form-urlencoded", ""],
    ];
    const revoked = await makeAdvertiser(h.db);
    await h.rows("update advertisers set conversion_secret_hash = $1 where id = $2", [newId("event"), revoked.id]);
    for (const secret of [makeKey("conversion"), revoked.conversionSecret]) {
      for (const [type, body] of bodies) {
        const headers = { authorization: `Bearer ${secret}`, "content-type": type };
        // A large body that is refused may break its connection before the answer has come.
        const answer = await h.until(
          () => read(path, { method: "POST", headers, body }).catch(() => [500, null] as const),
          ([status]) => status < 500,
        );
        expect(answer).toEqual(REFUSED);
      }
    }
    expect(await read(`${path}?secret=${makeKey("conversion")}&clickId=x&amount=x`)).toEqual(
      path === "/conversion" ? REFUSED : [405, wrapped("METHOD_NOT_ALLOWED")],
    );
  });

  it("has no secret among its fields", async () => {
    const { fields } = await given();
    const invalidFields = [{ field: "secret", message: "is not known" }];
    expect(await post(fields, reporter.secret)).toEqual([400, wrapped("VALIDATION_FAILED", { invalidFields })]);
  });

  it("needs the secret of now", async () => {
    const own = await makeReporter(h);
    const { clickId } = (await given(own)).fields;
    const convert = (secret: string) => post({ clickId, transactionId: newId("event") }, secret);
    expect(await convert(makeKey("conversion"))).toEqual(REFUSED);
    const path = `/api/v1/advertisers/${own.id}/conversion-secret`;
    const rotated = await api(h, "POST", path, { token: SECRETS.ADMIN_TOKEN });
    expect(await convert(own.secret)).toEqual(REFUSED);
    const { conversionSecret } = dataOf<{ conversionSecret: string }>(rotated);
    expect((await convert(conversionSecret))[0]).toBe(200);
  });
});
