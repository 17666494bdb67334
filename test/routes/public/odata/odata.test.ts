import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { newId } from "../../../../db/core/ids.ts";
import { publicKeys } from "../../../../db/schema/accounts.ts";
import { makeKey } from "../../../../db/core/secrets/secrets.ts";
import { askOffers, offersPath, requestOffers } from "../../../support/ask-offers.ts";
import { fetching } from "../../../support/documents/fetching.ts";
import { makeInventory, makePublisher } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
const live = { publicKey: demo.publicKey, placementId: demo.placements.live };
const valid = { placementId: demo.placements.live, sessionId: "s-1", "at.orderid": "1001" };
const everythingWrong = { count: "0", "at.country": "Mars", placementId: "nonsense" };

const unauthorized = {
  success: false,
  error: {
    code: "UNAUTHORIZED",
    message: "A valid public key is required; send it as Authorization: Bearer <key>, or as publicKey",
  },
};
const notFound = (placementId: string) => ({
  success: false,
  error: { code: "NOT_FOUND", message: "No placement has this id", details: { placementId } },
});

const invalid = (message: string, details: object) => ({
  success: false,
  error: { code: "VALIDATION_FAILED", message, details },
});

/** Asks without anything that the helpers add. */
const ask = (params: Record<string, string> | string, headers: Record<string, string> = {}) =>
  h.fetch(typeof params === "string" ? `/api/odata?${params}` : offersPath(params), { headers });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const answer = async (response: Awaited<ReturnType<typeof ask>>) => [response.status, await response.json()];

/** Reads of documents for an answer; publishing goes on behind earlier answers, in batches of two statements. */
const reads = async (get: () => Promise<unknown>) => {
  h.database.trips.length = 0;
  await get();
  return h.database.trips.filter((statements) => statements.length === 1 && statements[0]?.startsWith("select d.key"));
};

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

describe("the public key", () => {
  it.each([
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["a scheme alone", { authorization: "Bearer" }],
    ["a scheme and a blank", { authorization: "Bearer " }],
    ["a key alone", { authorization: demo.publicKey }],
    ["another scheme", { authorization: `Basic ${demo.publicKey}` }],
    ["a scheme in front", { authorization: `Token Bearer ${demo.publicKey}` }],
    ["two keys", { authorization: `Bearer ${demo.publicKey} ${demo.publicKey}` }],
    ["a private key", bearer(demo.privateKey)],
    ["a platform's token", bearer(demo.platformToken)],
    ["the administrator's token", bearer(SECRETS.ADMIN_TOKEN)],
    ["a key with a wrong checksum", bearer(`${demo.publicKey.slice(0, -1)}x`)],
    ["a key in capitals", bearer(demo.publicKey.toUpperCase())],
    ["nobody's key", bearer(makeKey("public"))],
    ["something long", bearer("x".repeat(5_000))],
  ])("is refused as %s", async (_, headers) => {
    expect(await answer(await ask(valid, headers))).toEqual([401, unauthorized]);
  });

  it.each(["Bearer", "bearer", "BEARER"])("may follow the scheme as %s", async (scheme) => {
    expect((await ask(valid, { authorization: `${scheme}  ${demo.publicKey}` })).status).toBe(200);
  });

  it("may be a parameter, over which the header wins", async () => {
    const withKey = { ...valid, publicKey: demo.publicKey };
    expect((await ask(withKey)).status).toBe(200);
    for (const wrong of ["Bearer", `Basic ${demo.publicKey}`, `Bearer ${makeKey("public")}`]) {
      expect(await answer(await ask(withKey, { authorization: wrong }))).toEqual([401, unauthorized]);
    }
    expect((await ask({ ...valid, publicKey: "wrong" }, bearer(demo.publicKey))).status).toBe(200);
  });

  it.each(["", " ", "wrong", demo.privateKey, makeKey("public")])("is refused as a parameter %j", async (publicKey) => {
    expect(await answer(await ask({ ...valid, publicKey }))).toEqual([401, unauthorized]);
  });

  it("of a parameter that comes twice is the first", async () => {
    const query = new URLSearchParams(valid).toString();
    expect((await ask(`publicKey=${demo.publicKey}&publicKey=wrong&${query}`)).status).toBe(200);
    expect((await ask(`publicKey=wrong&publicKey=${demo.publicKey}&${query}`)).status).toBe(401);
  });

  it("expires", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const expired = makeKey("public");
    const lasting = makeKey("public");
    await h.db.insert(publicKeys).values([
      { key: expired, publisherId: publisher.id, expiresAt: new Date(Date.now() - 1_000) },
      { key: lasting, publisherId: publisher.id, expiresAt: new Date(Date.now() + 3_600_000) },
    ]);
    const asked = { placementId: placement.id };
    expect(await answer(await requestOffers(h, { ...asked, publicKey: expired }))).toEqual([401, unauthorized]);
    expect((await requestOffers(h, { ...asked, publicKey: lasting })).status).toBe(200);
    expect((await requestOffers(h, { ...asked, publicKey: publisher.publicKey })).status).toBe(200);
  });
});

describe("the order of checks", () => {
  it("judges the key before everything", async () => {
    expect(await answer(await ask(everythingWrong))).toEqual([401, unauthorized]);
    expect(await answer(await ask(everythingWrong, bearer("malformed")))).toEqual([401, unauthorized]);
    expect(await answer(await ask(everythingWrong, bearer(makeKey("public"))))).toEqual([401, unauthorized]);
    expect(await answer(await ask({}, bearer(makeKey("public"))))).toEqual([401, unauthorized]);
    const malformedId = { ...valid, placementId: "nonsense" };
    expect(await answer(await ask(malformedId, bearer(makeKey("public"))))).toEqual([401, unauthorized]);
  });

  it("judges the parameters before the placement", async () => {
    for (const placementId of ["nonsense", newId("placement"), demo.placements.live]) {
      const response = await requestOffers(h, { ...live, placementId, count: "0" });
      expect(await answer(response)).toMatchObject([400, { error: { code: "VALIDATION_FAILED" } }]);
    }
  });

  it("asks the database nothing about a malformed key", async () => {
    expect(await reads(() => ask(valid, bearer("lan_pk_x")))).toEqual([]);
    expect(await reads(() => ask(valid))).toEqual([]);
  });

  it("asks the database once for a cold answer, and nothing once its documents are at the edge", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "JP" };
    const again = () => reads(() => askOffers(h, asked));
    const { answer: trips, fetches } = await fetching(again);
    expect(fetches).toContain(trips.length);
    expect(await h.until(again, ({ length }) => length === 0)).toEqual([]);
  });
});

describe("400", () => {
  it.each([
    [["placementId"], ["placementId"]],
    [["sessionId"], ["sessionId"]],
    [["at.orderid"], ["at.email", "at.orderid"]],
    [
      ["placementId", "sessionId"],
      ["placementId", "sessionId"],
    ],
    [Object.keys(valid), ["placementId", "sessionId", "at.email", "at.orderid"]],
  ])("without %j names %j", async (without, missingFields) => {
    const expected = invalid(`Required parameters are missing: ${missingFields.join(", ")}`, { missingFields });
    const left = Object.fromEntries(Object.entries(valid).filter(([name]) => !without.includes(name)));
    expect(await answer(await ask(left, bearer(demo.publicKey)))).toEqual([400, expected]);
    const blank = { ...valid, ...Object.fromEntries(without.map((name) => [name, " "])) };
    expect(await answer(await ask(blank, bearer(demo.publicKey)))).toEqual([400, expected]);
  });

  it("names values that break a rule beside the missing ones", async () => {
    const invalidFields = [{ field: "count", message: "must be an integer of at least 1" }];
    expect(await answer(await requestOffers(h, { ...live, count: "1.5" }))).toEqual([
      400,
      invalid("Parameters are invalid: count must be an integer of at least 1", { missingFields: [], invalidFields }),
    ]);
    expect(await answer(await requestOffers(h, { ...live, sessionId: "", count: "1.5" }))).toEqual([
      400,
      invalid(
        "Required parameters are missing: sessionId. Parameters are invalid: count must be an integer of at least 1",
        { missingFields: ["sessionId"], invalidFields },
      ),
    ]);
  });

  it.each([
    ["at.email", "5d41402abc4b2a76b9719d911017c592"],
    ["at.phone", "123456789"],
    ["at.country", "USA"],
    ["at.language", "english"],
    ["at.address", "a".repeat(501)],
    ["at.zipcode", "1".repeat(21)],
    ["at.orderid", "1".repeat(101)],
    ["at.amount", "1000000.01"],
    ["at.currency", "XXX"],
    ["at.billingaddress1", "a".repeat(501)],
    ["at.billingzipcode", "1".repeat(21)],
    ["at.paymenttype", "CreditCard"],
    ["count", "0"],
  ])("refuses a bad %s", async (name, value) => {
    const response = await requestOffers(h, { ...live, [name]: value });
    expect(await answer(response)).toEqual([
      400,
      invalid(expect.stringContaining(name), {
        missingFields: [],
        invalidFields: [{ field: name, message: expect.any(String) }],
      }),
    ]);
  });

  it("has the proper name for a broken alias", async () => {
    const response = await requestOffers(h, { ...live, "at.mobile": "1" });
    expect(await response.json()).toMatchObject({ error: { details: { invalidFields: [{ field: "at.phone" }] } } });
  });
});

describe("404", () => {
  it.each([
    ["unknown", newId("placement")],
    ["malformed", "nonsense"],
    ["of another entity", newId("site")],
    ["in capitals", demo.placements.live.toUpperCase()],
    ["with a colon", `${demo.placements.live}:US`],
    ["long", "p".repeat(1_000)],
    ["in another script", "配置 💐"],
  ])("for a placement id that is %s", async (_, placementId) => {
    const response = await requestOffers(h, { ...live, placementId });
    expect(await answer(response)).toEqual([404, notFound(placementId)]);
  });

  it("for another publisher's placement, in both directions", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const { publicKey } = publisher;
    expect(await answer(await requestOffers(h, { ...live, publicKey }))).toEqual([404, notFound(live.placementId)]);
    const response = await requestOffers(h, { ...live, placementId: placement.id });
    expect(await answer(response)).toEqual([404, notFound(placement.id)]);
    expect((await requestOffers(h, { publicKey, placementId: placement.id })).status).toBe(200);
  });

  it("for every placement of others, where a publisher has none", async () => {
    const { publicKey } = await makePublisher(h.db);
    expect((await requestOffers(h, { ...live, publicKey })).status).toBe(404);
  });
});
