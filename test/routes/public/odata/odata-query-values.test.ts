import { describe, expect, it } from "vitest";
import { CURRENCIES, PAYMENT_TYPES } from "../../../../db/schema/values.ts";
import { parseOfferQuery } from "../../../../functions/routes/public/odata-query.ts";

const required = { placementId: "plc_1", sessionId: "s-1", "at.orderid": "1001" };
const parse = (more: Record<string, string>) => parseOfferQuery(new Map(Object.entries({ ...required, ...more })));
const times = (length: number, text = "a") => text.repeat(length);
/** Returns the id of the offer of a number, always the same. */
const offer = (n: number) => `ofr_${String(n).padStart(26, "0")}`;
const offers = (count: number) => Array.from({ length: count }, (_, n) => offer(n));
const titled = (rows: [string, string, unknown][]) =>
  rows.map(([name, sent, outcome]) => {
    const shown = sent.length > 40 ? `${JSON.stringify(sent.slice(0, 8))}… of ${sent.length}` : JSON.stringify(sent);
    return [`${name} ${shown}`, name, sent, outcome] as const;
  });

/** Parameter, value as it was sent, value as it is understood; undefined where it is as good as absent. */
const taken: [name: string, sent: string, understood: unknown][] = [
  ["placementId", " plc_1 ", "plc_1"],
  ["placementId", times(10_000), times(10_000)],
  ["sessionId", times(500), times(500)],
  ["sessionId", `  ${times(500)}\t`, times(500)],
  ["sessionId", "köln 💐", "köln 💐"],
  ["count", "", 4],
  ["count", "   ", 4],
  ["count", "1", 1],
  ["count", " 7 ", 7],
  ["count", "007", 7],
  ["count", "20", 20],
  ["count", "21", 20],
  ["count", times(400, "9"), 20],
  ["seen", offer(1), [offer(1)]],
  ["seen", ` ${offer(2)},${offer(1)} `, [offer(2), offer(1)]],
  ["seen", [offer(2), offer(1), offer(2)].join(","), [offer(2), offer(1)]],
  ["seen", [",", "x", offer(1).slice(1), `${offer(1)}0`, offer(1).toUpperCase(), offer(3)].join(","), [offer(3)]],
  ["seen", `plc_${offer(1).slice(4)},${offer(3)}\0,${offer(4)};${offer(5)},${offer(6)}`, [offer(6)]],
  ["seen", offers(50).join(","), offers(50)],
  ["seen", offers(51).join(","), offers(50)],
  ["seen", `${times(10_000, "x,")}${offers(1_000).join(",")}`, offers(50)],
  ["seen", "", undefined],
  ["seen", ",,", undefined],
  ["seen", "\0", undefined],
  ["seen", times(10_000), undefined],
  ["seen", "__proto__", undefined],
  ["at.email", "jo@shop.example", "jo@shop.example"],
  ["at.email", "  Jo.Doe+Tag@SHOP.Example ", "jo.doe+tag@shop.example"],
  ["at.email", "jo tag@shop.example", "jo+tag@shop.example"],
  ["at.email", "jo@a.b.c.d.example", "jo@a.b.c.d.example"],
  ["at.email", "jo..doe.@shop.example", "jo..doe.@shop.example"],
  ["at.email", "ünï@bücher.example", "ünï@bücher.example"],
  ["at.email", `${times(307)}@a.example.xy`, `${times(307)}@a.example.xy`],
  ["at.email", times(64, "0"), times(64, "0")],
  ["at.email", times(64, "F"), times(64, "f")],
  ["at.email", ` ${times(32, "aB")} `, times(32, "ab")],
  ["at.email", "", undefined],
  ["at.firstname", "Zoë", "Zoë"],
  ["at.firstname", times(10_000), times(10_000)],
  ["at.lastname", "O'Neil; drop table offers --", "O'Neil; drop table offers --"],
  ["at.phone", "1234567890", "1234567890"],
  ["at.phone", "123456789012345", "123456789012345"],
  ["at.phone", "+1 (555) 010-01.42", "+1 (555) 010-01.42"],
  ["at.phone", "+49 30 1234 5678 901", "+49 30 1234 5678 901"],
  ["at.phone", "0301/1234567", "0301/1234567"],
  ["at.phone", "030 / 1234\u201067\u201189", "030 / 1234\u201067\u201189"],
  ["at.phone", "+49\u201230\u20131234\u20145678\u2015901", "+49\u201230\u20131234\u20145678\u2015901"],
  ["at.country", "US", "US"],
  ["at.country", "de", "DE"],
  ["at.country", " gB ", "GB"],
  ["at.country", "XK", "XK"],
  ["at.language", "en", "en"],
  ["at.language", "EN", "en"],
  ["at.language", "en-US", "en"],
  ["at.language", "EN_us", "en"],
  ["at.language", "zh-Hant-TW", "zh"],
  ["at.language", "gsw", "gsw"],
  ["at.language", "deu-DE", "de"],
  ["at.language", "IW-il", "he"],
  ["at.language", "in", "id"],
  ["at.language", "und", "und"],
  ["at.address", times(500), times(500)],
  ["at.address", "1 Main St\nApt 2", "1 Main St\nApt 2"],
  ["at.zipcode", times(20), times(20)],
  ["at.orderid", times(100), times(100)],
  ["at.orderid", "#1001/ä", "#1001/ä"],
  ["at.amount", "0", 0],
  ["at.amount", "0.00", 0],
  ["at.amount", "1000000", 1_000_000],
  ["at.amount", "1000000.00", 1_000_000],
  ["at.amount", "999999.99", 999_999.99],
  ["at.amount", ".5", 0.5],
  ["at.amount", "5.", 5],
  ["at.amount", " 49.90 ", 49.9],
  ["at.amount", "\t", undefined],
  ["at.currency", "USD", "USD"],
  ["at.currency", "eur", "EUR"],
  ["at.billingaddress1", times(500), times(500)],
  ["at.billingzipcode", times(20), times(20)],
  ...CURRENCIES.map((code): [string, string, string] => ["at.currency", code, code]),
  ...PAYMENT_TYPES.map((type): [string, string, string] => ["at.paymenttype", type, type]),
];

const amountRange = "must be between 0 and 1000000";
const notNumber = "must be a number";
const notCount = "must be an integer of at least 1";
const notEmail = "must be an e-mail address or its SHA-256 in 64 hex digits";
const notPhone = "must have 10 to 15 digits";
const notCountry = "must be a two-letter ISO 3166-1 country code";
const notLanguage = "must be a language code such as en or en-US";
const notCurrency = "must be a supported currency code";
const notPayment = `must be one of ${PAYMENT_TYPES.join(", ")}`;
const tooLong = (max: number) => `must have at most ${max} characters`;

const refused: [name: string, sent: string, message: string][] = [
  ["sessionId", times(501), tooLong(500)],
  ["count", "0", notCount],
  ["count", "000", notCount],
  ["count", "-1", notCount],
  ["count", "1.5", notCount],
  ["count", "abc", notCount],
  ["count", "1e1", notCount],
  ["count", "0x4", notCount],
  ["count", "4;", notCount],
  ["count", "4\0", notCount],
  ["count", "٤", notCount],
  ["count", "Infinity", notCount],
  ["at.email", times(63, "a"), notEmail],
  ["at.email", times(65, "a"), notEmail],
  ["at.email", times(64, "g"), notEmail],
  ["at.email", "5d41402abc4b2a76b9719d911017c592", notEmail],
  ["at.email", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", notEmail],
  ["at.email", "jo.shop.example", notEmail],
  ["at.email", "<jo@shop.example>", notEmail],
  ["at.email", "mailto:jo@shop.example", notEmail],
  ["at.email", "jo\u200b@shop.example", notEmail],
  ["at.email", "jo@localhost", notEmail],
  ["at.email", "jo@", notEmail],
  ["at.email", "@shop.example", notEmail],
  ["at.email", "jo@shop..example", notEmail],
  ["at.email", "jo@shop.example.", notEmail],
  ["at.email", "jo@@shop.example", notEmail],
  ["at.email", "jo@shop doe.example", notEmail],
  ["at.email", `${times(308)}@a.example.xy`, tooLong(320)],
  ["at.phone", "123456789", notPhone],
  ["at.phone", "+1 (234) 567-89", notPhone],
  ["at.phone", "1234567890123456", notPhone],
  ["at.phone", "0301/12345", notPhone],
  ["at.phone", "12345678901x", notPhone],
  ["at.phone", "0301\\1234567", notPhone],
  ["at.phone", "١٢٣٤٥٦٧٨٩٠", notPhone],
  ["at.country", "USA", notCountry],
  ["at.country", "U", notCountry],
  ["at.country", "XX", notCountry],
  ["at.country", "ZZ", notCountry],
  ["at.country", "United States", notCountry],
  ["at.country", "U\0", notCountry],
  ["at.country", "ß", notCountry],
  ["at.country", "ﬁ", notCountry],
  ["at.language", "e", notLanguage],
  ["at.language", "deut", notLanguage],
  ["at.language", "english", notLanguage],
  ["at.language", "en-abcdefghi", notLanguage],
  ["at.language", "en--US", notLanguage],
  ["at.language", "en-", notLanguage],
  ["at.language", "en;q=0.9", notLanguage],
  ["at.language", "12", notLanguage],
  ["at.address", times(501), tooLong(500)],
  ["at.zipcode", times(21), tooLong(20)],
  ["at.orderid", times(101), tooLong(100)],
  ["at.amount", "-1", amountRange],
  ["at.amount", "-0.01", amountRange],
  ["at.amount", "1000000.01", amountRange],
  ["at.amount", "1000001", amountRange],
  ["at.amount", times(400, "9"), amountRange],
  ["at.amount", "abc", notNumber],
  ["at.amount", "1e3", notNumber],
  ["at.amount", "1,000", notNumber],
  ["at.amount", "$5", notNumber],
  ["at.amount", ".", notNumber],
  ["at.amount", "NaN", notNumber],
  ["at.amount", "Infinity", notNumber],
  ["at.amount", "0x10", notNumber],
  ["at.currency", "XXX", notCurrency],
  ["at.currency", "US", notCurrency],
  ["at.currency", "$", notCurrency],
  ["at.currency", "USDT", notCurrency],
  ["at.currency", "constructor", notCurrency],
  ["at.billingaddress1", times(501), tooLong(500)],
  ["at.billingzipcode", times(21), tooLong(20)],
  ["at.paymenttype", "creditcard", notPayment],
  ["at.paymenttype", "CREDITCARD", notPayment],
  ["at.paymenttype", "cash", notPayment],
  ["at.paymenttype", "__proto__", notPayment],
  ...["placementId", "sessionId", "at.firstname", "at.lastname", "at.address", "at.zipcode", "at.orderid"].map(
    (name): [string, string, string] => [name, "a\0b", "must not contain the NUL character"],
  ),
];

describe("a value", () => {
  it.each(titled(taken))("takes %s", (_, name, sent, understood) => {
    const { query, problems } = parse({ [name]: sent });
    expect(problems).toBeUndefined();
    expect(Object.fromEntries(Object.entries(query ?? {}))[name]).toEqual(understood);
  });

  it.each(titled(refused))("refuses %s", (_, field, sent, message) => {
    expect(parse({ [field]: sent })).toEqual({
      problems: { missingFields: [], invalidFields: [{ field, message }] },
    });
  });
});
