const LONG = "x".repeat(5_000);
const nested = (levels: number, inner: unknown = 1): unknown =>
  levels === 0 ? inner : { a: nested(levels - 1, inner) };

/** Lists texts that some code may mishandle. */
export const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00x",
  "\u202eabc",
  "漢".repeat(300),
  LONG,
  "__proto__",
  "constructor",
  "' or 1=1--",
  "%00",
  "%",
  "null",
  "NaN",
  "-1",
  "1e400",
  "2026-02-30",
  "99999999",
  "20261101",
  "0001-01-01T00:00:00Z",
  "https://a.example/{click}",
  "https://a.example:99999/",
  "https://[::1]/",
  "https:evil.example",
  "javascript:alert(1)",
  "a@b.example",
  "active",
  "relations",
  "true",
];

/** Lists values that some code may mishandle. */
export const VALUES: unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  1e308,
  5e-324,
  2 ** 53,
  2 ** 31,
  {},
  [],
  [null],
  [[]],
  [{}],
  nested(60),
  nested(3, []),
  Array.from({ length: 600 }, (_, i) => `x${i}`),
  JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": {"a": 1}}}'),
];

/** Lists names of parameters and members, known and not. */
export const NAMES = [
  "",
  "\0",
  ..."skip take include status search siteId placementId offerId advertiserId platformId publisherId".split(" "),
  ..."dateStart dateEnd groupBy breakdownBy reportType stats unknown t v day clickId transactionId amount".split(" "),
  ..."currency secret test sessionId at.email at.orderid count at.amount at.currency at.country".split(" "),
  ..."at.language at.phone at.paymenttype publicKey deep state from to action kind fill __proto__".split(" "),
  ..."resource id constructor toString skip[]".split(" "),
];

/** Lists parts of a query, exactly as they are written. */
export const RAW_QUERIES = [
  "",
  "%",
  "%zz=%",
  "a=%ff&%ff=a",
  "&&&==&",
  "skip=1&skip=2",
  "take=%00",
  "__proto__[skip]=1",
  "?????",
];
/** Lists what may stand in a path instead of an id. */
export const IDS = [
  "%00",
  "%ff",
  "%",
  "%E0%A4%A",
  "__proto__",
  "..",
  "..%2f..%2fme",
  "x".repeat(3_000),
  "'%20or%201=1",
  "💐",
  "me",
];
/** Lists bodies, exactly as they are written. */
export const TEXT_BODIES = [
  "",
  " ",
  "null",
  "[]",
  "{}",
  '"x"',
  "5",
  "{",
  '{"a":',
  "{'a':1}",
  "[".repeat(5_000),
  "\ufeff{}",
  "a=b&c=%",
];
/** Lists content types that endpoints do not accept. */
export const TYPES = [
  "text/plain",
  "",
  "application/json; charset=utf-16",
  "application/a+json",
  "application/jsonp",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
  "application/json, text/plain",
  "multipart/form-data; boundary=x",
  "*/*",
];
/** Lists headers with values that some code may mishandle. */
export const HEADERS: [string, string][] = [
  ["x-request-id", "a b"],
  ["x-request-id", "x".repeat(255)],
  ["x-request-id", "x".repeat(256)],
  ["accept", "text/csv"],
  ["accept", "image/*"],
  ["accept", ";;;,,,"],
  ["accept-language", `${"a-".repeat(500)}b`],
  ["accept-language", "é,*;q=x"],
  ["user-agent", ""],
  ["user-agent", "Googlebot/2.1"],
  ["sec-gpc", "1"],
  ["sec-purpose", "prefetch"],
  ["cf-connecting-ip", "nonsense"],
  ["cf-connecting-ip", "2001:db8::1"],
  ["origin", "null"],
  ["if-none-match", "*"],
  ["if-match", "none"],
  ["if-match", 'W/"1-x"'],
  ["idempotency-key", ""],
  ["idempotency-key", "a b"],
  ["idempotency-key", "x".repeat(256)],
  ["range", "bytes=5-1"],
  ["cookie", "a=\u00ff"],
];
/** Lists invalid credentials. */
export const BEARERS = [
  "Bearer",
  "Bearer x",
  "Basic eA==",
  `Bearer ${"x".repeat(3_000)}`,
  "Bearer lan_sk_é",
  "lan_pk_",
  "Bearer a b",
  "",
];
