import fc from "fast-check";
import { HonoRequest } from "hono/request";
import { describe, expect, it } from "vitest";
import {
  countryOf,
  decisionRequest,
  invalidRequest,
  parseOfferQuery,
} from "../../../../functions/routes/public/odata-query.ts";

const required = { placementId: "plc_1", sessionId: "s-1", "at.orderid": "1001" };
const notPhone = "must have 10 to 15 digits";
const notNumber = "must be a number";
const notCount = "must be an integer of at least 1";
const notEmail = "must be an e-mail address or its SHA-256 in 64 hex digits";
const read = (values: Record<string, string>) => parseOfferQuery(new Map(Object.entries(values)));
const parse = (more: Record<string, string> = {}) => read({ ...required, ...more });
const aliases: [alias: string, canonical: string, one: string, other: string][] = [
  ["at.fname", "at.firstname", "Ann", "Bea"],
  ["at.lname", "at.lastname", "Ames", "Bell"],
  ["at.mobile", "at.phone", "1111111111", "2222222222"],
  ["at.order_id", "at.orderid", "A-1", "B-2"],
  ["at.payment_type", "at.paymenttype", "paypal", "crypto"],
];

describe("parseOfferQuery", () => {
  it("needs a placement, a session and one of e-mail and order, and asks for four offers unless told", () => {
    expect(parse()).toEqual({ query: { ...required, count: 4 } });
    expect(read({ placementId: "p", sessionId: "s", "at.email": "a@b.cd" })).toEqual({
      query: { placementId: "p", sessionId: "s", "at.email": "a@b.cd", count: 4 },
    });
  });

  it.each([
    [["placementId"], ["placementId"]],
    [["sessionId"], ["sessionId"]],
    [
      ["placementId", "sessionId"],
      ["placementId", "sessionId"],
    ],
    [["at.orderid"], ["at.email", "at.orderid"]],
    [
      ["sessionId", "at.orderid"],
      ["sessionId", "at.email", "at.orderid"],
    ],
    [Object.keys(required), ["placementId", "sessionId", "at.email", "at.orderid"]],
  ])("misses, without %j, %j; left out or blank", (without, missingFields) => {
    const left = Object.fromEntries(Object.entries(required).filter(([name]) => !without.includes(name)));
    const expected = { problems: { missingFields, invalidFields: [] } };
    expect(read(left)).toEqual(expected);
    expect(parse(Object.fromEntries(without.map((name) => [name, " \t "])))).toEqual(expected);
  });

  it("tells everything that is wrong at once", () => {
    expect(read({ sessionId: "a".repeat(501), "at.amount": "-1", "at.country": "Mars", count: "0" })).toEqual({
      problems: {
        missingFields: ["placementId", "at.email", "at.orderid"],
        invalidFields: [
          { field: "sessionId", message: "must have at most 500 characters" },
          { field: "count", message: notCount },
          { field: "at.country", message: "must be a two-letter ISO 3166-1 country code" },
          { field: "at.amount", message: "must be between 0 and 1000000" },
        ],
      },
    });
  });

  it("takes an invalid e-mail for given, so that nothing is missing", () => {
    expect(parse({ "at.orderid": "", "at.email": "nobody" })).toEqual({
      problems: { missingFields: [], invalidFields: [{ field: "at.email", message: notEmail }] },
    });
  });

  it("refuses a broken rule even where the other of e-mail and order is fine", () => {
    expect(parse({ "at.email": "nobody" }).problems?.invalidFields).toEqual([{ field: "at.email", message: notEmail }]);
  });

  it.each(aliases)("reads %s as %s, whose own value wins wherever it stands", (alias, canonical, one, other) => {
    const withEmail = { placementId: "p", sessionId: "s", "at.email": "a@b.cd" };
    const readWith = (values: Record<string, string>) => read({ ...values, ...withEmail }).query;
    const rest = { ...withEmail, count: 4 };
    expect(readWith({ [alias]: one })).toEqual({ ...rest, [canonical]: one });
    expect(readWith({ [alias]: one, [canonical]: other })).toEqual({ ...rest, [canonical]: other });
    expect(readWith({ [canonical]: other, [alias]: one })).toEqual({ ...rest, [canonical]: other });
    expect(readWith({ [alias]: one, [canonical]: " " })).toEqual({ ...rest, [canonical]: one });
    expect(readWith({ [alias]: " ", [canonical]: other })).toEqual({ ...rest, [canonical]: other });
    expect(readWith({ [alias]: " " })).toEqual(rest);
  });

  it("reads at.ordervalue as at.amount", () => {
    expect(parse({ "at.ordervalue": "12.50" }).query?.["at.amount"]).toBe(12.5);
    expect(parse({ "at.ordervalue": "12.50", "at.amount": "3" }).query?.["at.amount"]).toBe(3);
    expect(parse({ "at.ordervalue": "abc", "at.amount": "3" }).query?.["at.amount"]).toBe(3);
    expect(parse({ "at.ordervalue": "3", "at.amount": "abc" }).problems?.invalidFields).toEqual([
      { field: "at.amount", message: notNumber },
    ]);
  });

  it("names a broken alias by its proper name", () => {
    expect(parse({ "at.mobile": "1" }).problems?.invalidFields).toEqual([{ field: "at.phone", message: notPhone }]);
  });

  it("lets at.order_id alone satisfy the either-or", () => {
    expect(parse({ "at.orderid": "", "at.order_id": "7" }).query).toMatchObject({ "at.orderid": "7" });
  });

  it("is exact about names and ignores those it does not know", () => {
    const unknown = {
      "AT.AMOUNT": "x",
      AMOUNT: "x",
      at: "x",
      "at.": "x",
      "at.Email": "x",
      offers: "x",
      publicKey: "x",
    };
    expect(parse(unknown)).toEqual({ query: { ...required, count: 4 } });
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"])("ignores a parameter %s", (name) => {
    const own = new Map([...Object.entries(required), [name, "1"]]);
    expect(parseOfferQuery(own)).toEqual({ query: { ...required, count: 4 } });
    expect(Object.hasOwn(parseOfferQuery(own).query ?? {}, name)).toBe(false);
    expect(parseOfferQuery(new Map([[name, "1"]])).problems?.missingFields).toHaveLength(4);
  });

  it("either understands or refuses any values, and never throws", () => {
    const names = ["placementId", "sessionId", "count", ...aliases.flatMap(([alias, canonical]) => [alias, canonical])];
    names.push("at.email", "at.country", "at.language", "at.address", "at.zipcode", "at.amount", "at.ordervalue");
    names.push("at.currency", "at.billingaddress1", "at.billingzipcode", "seen");
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom(
        "4",
        "jo@shop.example",
        "5550100142",
        "US",
        "en-GB",
        "99.5",
        "EUR",
        "paypal",
        " ",
        "a".repeat(501),
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), texts), (query) => {
        const before = { ...query };
        const result = read(query);
        expect(query).toEqual(before);
        const { count, ...understood } = result.query ?? { count: 1 };
        expect([count >= 1, count <= 20]).toEqual([true, true]);
        expect(names).toEqual(expect.arrayContaining(Object.keys(understood)));
        const { missingFields, invalidFields } = result.problems ?? { missingFields: [], invalidFields: [] };
        expect(missingFields.length + invalidFields.length > 0).toBe(result.query === undefined);
        expect(invalidFields.filter(({ field }) => field === "seen" || missingFields.includes(field))).toEqual([]);
      }),
    );
  });
});

const asked = { placementId: "plc_1", sessionId: "s-1", count: 4 };

describe("what the store does not say", () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["*", undefined],
    ["*, de;q=0.5", undefined],
    ["de-AT, en", "de"],
    ["IW", "he"],
    ["gsw;q=1", "gsw"],
    ["e", undefined],
    ["deut", undefined],
    ["english", undefined],
  ])("a browser that prefers %j tells: %j", (preferred, language) => {
    const headers = preferred === undefined ? {} : { "accept-language": preferred };
    const request = new HonoRequest(new Request("https://offers.example/", { headers }));
    expect(decisionRequest(request, asked, "0").language).toBe(language);
    expect(decisionRequest(request, { ...asked, "at.language": "fr" }, "0").language).toBe("fr");
  });

  it.each<[unknown, string]>([
    ["US", "US"],
    ["T1", "ZZ"],
    ["us", "ZZ"],
    [undefined, "ZZ"],
    [7, "ZZ"],
  ])("the edge tells where the customer is: %j is %s", (country, expected) => {
    const request = new HonoRequest(Object.assign(new Request("https://offers.example/"), { cf: { country } }));
    expect(countryOf(request, asked)).toBe(expected);
    expect(countryOf(request, { ...asked, "at.country": "DE" })).toBe("DE");
  });
});

describe("a refusal", () => {
  const amount = { field: "at.amount", message: "must be a number" };
  const phone = { field: "at.phone", message: "must have 10 to 15 digits" };

  it.each([
    [["sessionId"], [], "Required parameters are missing: sessionId"],
    [[], [amount], "Parameters are invalid: at.amount must be a number"],
    [
      ["placementId", "sessionId"],
      [amount, phone],
      "Required parameters are missing: placementId, sessionId. " +
        "Parameters are invalid: at.amount must be a number; at.phone must have 10 to 15 digits",
    ],
  ])("names what is missing, %j, and what is wrong, %j", (missingFields, invalidFields, message) => {
    expect(invalidRequest({ missingFields, invalidFields }).message).toBe(message);
  });
});
