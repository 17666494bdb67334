import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;

const valid = {
  placementId: demo.placements.live,
  sessionId: "s-1",
  count: "4",
  seen: "ofr_01h2xcejqtf2nbrexx3vqjhp41",
  "at.email": "jo@shop.example",
  "at.firstname": "Jo",
  "at.fname": "Jo",
  "at.lastname": "Doe",
  "at.lname": "Doe",
  "at.phone": "5550100142",
  "at.mobile": "5550100142",
  "at.country": "US",
  "at.language": "en",
  "at.address": "1 Main St",
  "at.zipcode": "12345",
  "at.orderid": "1001",
  "at.order_id": "1001",
  "at.amount": "10",
  "at.ordervalue": "10",
  "at.currency": "USD",
  "at.billingaddress1": "1 Main St",
  "at.billingzipcode": "12345",
  "at.paymenttype": "paypal",
  "at.payment_type": "paypal",
  publicKey: demo.publicKey,
};
const names = Object.keys(valid);

/** As they stand in the URL. */
const hostile: [string, string][] = [
  ["SQL", "'%20or%201=1;drop%20table%20offers;--"],
  ["SQL in a literal", "%27%7C%7C(select%20pg_sleep(10))%7C%7C%27"],
  ["an array literal", "%7B%22a%22,NULL%7D"],
  ["10 KB", "a".repeat(10_240)],
  ["10 KB of digits", "9".repeat(10_240)],
  ["10 KB of one pattern", "a-".repeat(5_120)],
  ["an e-mail's 10 KB", `${"a.".repeat(5_000)}@${"a.".repeat(120)}`],
  ["NUL", "%00"],
  ["NUL within", "a%00b"],
  ["a lone surrogate", "%ED%A0%80"],
  ["half a pair", "%ED%B0%80x"],
  ["an invalid byte", "%ff"],
  ["a cut sequence", "%E2%82"],
  ["an overlong sequence", "%C0%80"],
  ["a lone percent", "%"],
  ["half an escape", "%4"],
  ["no escape at all", "%zz"],
  ["a prototype", "__proto__"],
  ["a constructor", "constructor"],
  ["markup", "%3Cscript%3Ealert(1)%3C/script%3E"],
  ["lines", "a%0d%0aSet-Cookie:%20x=1"],
  ["a macro", "%7Bclick_id%7D$%7B7*7%7D"],
  ["a path", "..%2f..%2fetc%2fpasswd"],
  ["JSON", "%7B%22$gt%22:%22%22%7D"],
  ["emoji", "%F0%9F%92%90"],
  ["direction marks", "%E2%80%AEabc%E2%80%8B"],
];

const STATE = `select (select count(*) from offers) as offers, (select count(*) from placements) as placements,
  (select count(*) from sites) as sites, (select count(*) from publishers) as publishers,
  (select count(*) from public_keys) as keys, (select count(*) from events) as events,
  (select count(*) from tracking_rejects) as rejects, (select count(*) from publish_outbox) as outbox,
  (select count(*) from daily_counters where placement_id <> '${demo.placements.live}') as strange,
  (select count(*) from information_schema.tables where table_schema = 'public') as tables`;
const stateOf = () => h.rows(STATE);

const query = (params: Record<string, string>) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

const SHAPES: Record<number, object> = {
  200: {
    offers: expect.any(Array),
    adDisplayDelay: expect.any(Number),
    isTestMode: false,
    siteStatus: "active",
    templateData: expect.any(Object),
  },
  400: {
    success: false,
    error: {
      code: "VALIDATION_FAILED",
      message: expect.any(String),
      details: expect.objectContaining({ missingFields: expect.any(Array) }),
    },
  },
  401: { success: false, error: { code: "UNAUTHORIZED", message: expect.any(String) } },
  404: {
    success: false,
    error: { code: "NOT_FOUND", message: expect.any(String), details: { placementId: expect.any(String) } },
  },
};

/** Asks, checks that the answer is one that the API names, and returns its status. */
const ask = async (search: string) => {
  const response = await h.fetch(`/api/odata?${search}`);
  const text = await response.text();
  if (!(response.status in SHAPES)) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  expect(JSON.parse(text)).toEqual(SHAPES[response.status]);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("set-cookie")).toBeNull();
  return response.status;
};

beforeAll(async () => {
  h = await startHarness();
  // The seed's publications and the first request's own are done before anything is compared.
  await h.cron();
  await h.until(stateOf, ([state]) => state?.["outbox"] === "0");
});
afterAll(() => h.close());

describe("hostile strings", () => {
  it("are compared with a request that is served", async () => {
    expect(await ask(query(valid))).toBe(200);
  });

  it.each(hostile)("of %s in any parameter leave the service and its data as they are", async (_, value) => {
    const before = await stateOf();
    for (const name of names) await ask(query({ ...valid, [name]: value }));
    expect(await ask(query({ ...valid, seen: value }))).toBe(200);
    expect(await stateOf()).toEqual(before);
  });

  it.each(hostile)("of %s as a name are ignored", async (_, name) => {
    expect(await ask(`${query(valid)}&${name}=1&at.${name}=1&${name}`)).toBe(200);
  });

  it("in every parameter at once are refused by the key alone", async () => {
    for (const [, value] of hostile.filter(([, sent]) => sent.length < 100)) {
      const all = Object.fromEntries(names.map((name) => [name, value]));
      expect(await ask(query(all))).toBe(401);
      expect(await ask(query({ ...all, publicKey: demo.publicKey }))).toBe(400);
    }
  });

  it.each(["__proto__", "constructor", "toString", "__proto__[count]", "constructor.prototype", "hasOwnProperty"])(
    "named %s change nothing of what follows",
    async (name) => {
      expect(await ask(`${query(valid)}&${name}=1`)).toBe(200);
      expect(await ask(`${name}=polluted&publicKey=${demo.publicKey}`)).toBe(400);
      expect(await ask(query(valid))).toBe(200);
    },
  );

  it("of very many parameters are taken", async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `p${i}=${i}`).join("&");
    expect(await ask(`${many}&${query(valid)}`)).toBe(200);
    expect(await ask(`${query(valid)}${"&count=1".repeat(1_000)}`)).toBe(200);
    expect(await ask(`${"&".repeat(5_000)}${query(valid)}`)).toBe(200);
    expect(await ask(`${"=".repeat(5_000)}&${query(valid)}`)).toBe(200);
  });

  it.each(["?", "??", "&&", "=&=", "%", "%00", "#", "?publicKey", "?publicKey=", "?publicKey=%00"])(
    "that are no query, as %j, are refused",
    async (search) => {
      const response = await h.fetch(`/api/odata${search.startsWith("?") ? search : `?${search}`}`);
      expect(response.status).toBe(401);
    },
  );

  it.each([
    ["accept-language", "x".repeat(5_000)],
    ["accept-language", "'; drop table offers; --"],
    ["x-request-id", "<script>"],
    ["x-request-id", "a".repeat(5_000)],
    ["sec-gpc", "true"],
    ["origin", "null"],
    ["user-agent", "' or 1=1 --"],
    ["cookie", "__proto__=1"],
  ])("in the header %s are harmless", async (name, value) => {
    const response = await h.fetch(`/api/odata?${query(valid)}`, { headers: { [name]: value } });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{10,255}$/);
  });
});
