import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { parseCsv } from "../../../functions/core/csv.ts";
import { flat, idOf, invalid, missing, said } from "../../support/api.ts";
import {
  creativeBody,
  makeAdvertiser,
  makeCreative,
  makeOffer,
  makePlatform,
  offerBody,
} from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
});

const anAdvertiser = async () => (await makeAdvertiser(h.db, { platformId: platform.id })).id;

type Row = { row: number; status: string; id: string | null; error?: { code: string; details?: unknown } };
type Result = { created: number; updated: number; refused: number; rows: Row[] };

const NDJSON = "application/x-ndjson";
const send = async (body: string | Uint8Array<ArrayBuffer>, type = NDJSON, query = "", token = platform.token) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  const response = await h.fetch(`/api/v1/offers/import?${query}`, { method: "POST", headers, body });
  return { status: response.status, headers: response.headers, json: (await response.json()) as { data: Result } };
};
const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const take = async (query: string, accept = NDJSON) => {
  const headers = { authorization: `Bearer ${platform.token}`, accept };
  const response = await h.fetch(`/api/v1/offers/export?${query}`, { headers });
  expect(response.status).toBe(200);
  return { text: await response.text(), headers: response.headers };
};
type Exported = Record<string, unknown> & { id: string; name: string; creatives: Record<string, unknown>[] };
const exported = async (advertiserId: string) =>
  (await take(`advertiserId=${advertiserId}`)).text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Exported);
const withoutIds = (creative: Record<string, unknown>) => {
  const { id: _, offerId: __, createdAt: ___, updatedAt: ____, ...rest } = creative;
  return rest;
};
/** Returns an offer without what is another in each copy of it. */
const comparable = (offer: Exported) => {
  const { id: _, advertiserId: __, createdAt: ___, updatedAt: ____, creatives, ...rest } = offer;
  return { offer: rest, creatives: creatives.map(withoutIds) };
};
const compared = (offers: Exported[]) => offers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(comparable);
const countOf = async (advertiserId: string) =>
  (await h.rows<{ n: number }>("select count(*)::int as n from offers where advertiser_id = $1", [advertiserId]))[0]?.n;

describe("an import", () => {
  it("makes and changes offers with their creatives, and answers each row", async () => {
    const advertiserId = await anAdvertiser();
    const there = await makeOffer(h.db, advertiserId, { name: "There" });
    const own = await makeCreative(h.db, there.id);
    const answer = await send(
      lines(
        offerBody(advertiserId, {
          name: "New",
          targeting: { countries: ["de"] },
          creatives: [creativeBody({ weight: 3 })],
        }),
        {
          id: there.id,
          title: "Changed",
          dailyCap: 7,
          creatives: [{ id: own.id, weight: 9 }, creativeBody({ name: "More" })],
        },
        offerBody(advertiserId, { title: "" }),
        { id: newId("offer"), title: "Nobody's" },
        { id: there.id, title: "Twin" },
      ) + "{\n",
    );
    const refused = { status: "refused", id: null };
    expect(answer).toMatchObject({
      status: 200,
      json: {
        success: true,
        data: {
          created: 1,
          updated: 1,
          refused: 4,
          rows: [
            { row: 1, status: "created", id: idOf("ofr") },
            { row: 2, status: "updated", id: there.id },
            { row: 3, ...refused, error: { code: "VALIDATION_FAILED", details: ["title: must not be empty"] } },
            { row: 4, ...refused, error: { code: "RESOURCE_NOT_FOUND", details: { resourceType: "Offer" } } },
            { row: 5, ...refused, error: { details: ["id: comes twice; row 2 has it"] } },
            { row: 6, ...refused, error: { details: ["row: is not valid JSON"] } },
          ],
        },
      },
    });
    const offers = await exported(advertiserId);
    expect(
      offers.map(({ name, title, dailyCap, creatives }) => [
        name,
        title,
        dailyCap,
        creatives.map(({ name: of, number, weight }) => [of, number, weight]),
      ]),
    ).toEqual([
      [
        "There",
        "Changed",
        7,
        [
          ["Another", 2, 9],
          ["More", 3, 100],
        ],
      ],
      ["New", "A title", null, [["Another", 2, 3]]],
    ]);
    expect(
      await h.rows("select ecpm_micros::int as ecpm from offers where advertiser_id = $1", [advertiserId]),
    ).toEqual([{ ecpm: 10_000_000 }, { ecpm: 10_000_000 }]);
  });

  it("changes nothing when it is atomic and a row is refused", async () => {
    const advertiserId = await anAdvertiser();
    const body = lines(offerBody(advertiserId), offerBody(advertiserId, { bidMicros: 1, pricing: "CPM" }));
    const answer = await send(body, NDJSON, "atomic=true");
    expect(answer).toMatchObject({
      status: 200,
      json: {
        message: "Nothing was imported, because 1 of 2 rows are refused",
        data: {
          created: 0,
          refused: 1,
          rows: [
            { row: 1, status: "skipped", id: null },
            { row: 2, status: "refused" },
          ],
        },
      },
    });
    expect((await send(`${lines(offerBody(advertiserId))}x`, NDJSON, "atomic=true")).json.data).toMatchObject({
      created: 0,
      refused: 1,
    });
    expect(await countOf(advertiserId)).toBe(0);
    expect((await send(body)).json.data).toMatchObject({ created: 1, refused: 1 });
    expect(await countOf(advertiserId)).toBe(1);
  });

  it.each<[string, object, string]>([
    ["dates", { startsAt: "2026-02-01T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" }, "endsAt: must be after startsAt"],
    [
      "amounts",
      { targeting: { amountMin: 5, amountMax: 4, currencies: ["EUR"] } },
      "targeting.amountMax: must not be less than amountMin",
    ],
    ["a currency", { targeting: { amountMin: 5 } }, "targeting.currencies: must be given with amountMin or amountMax"],
    ["a bid", { pricing: "CPM", bidMicros: 1_500 }, "bidMicros: must be a multiple of 1000 for CPM"],
    ["a pacing", { pacing: "EVEN" }, "pacing: EVEN needs a dailyCap, or a lifetimeCap and an endsAt"],
    ["a category", { targeting: { categories: ["Nothing"] } }, "targeting.categories: has no category named Nothing"],
    ["a stranger", { targeting: { includeSites: ["site_x"] } }, "targeting.includeSites: may only gain"],
    ["an unknown member", { targeting: { country: "DE" } }, "targeting.country: is not known"],
    ["an icon", { icon: { url: "/icons/nope.svg", width: 1, height: 1 } }, "icon.url: is no icon of the service"],
    ["an encoded macro", { destinationUrl: "https://a.example/%7bclick_id%7D" }, "destinationUrl: has %7bclick_id%7D"],
    ["a creative", { creatives: [creativeBody({ title: "" })] }, "creatives.0.title: must not be empty"],
  ])("refuses a row for %s as the table does, new or changed", async (_, given, problem) => {
    const advertiserId = await anAdvertiser();
    const { id } = await makeOffer(h.db, advertiserId);
    const { rows } = (await send(lines(offerBody(advertiserId, given), { id, ...given }))).json.data;
    for (const row of rows) {
      expect(row).toMatchObject({
        status: "refused",
        error: { details: [expect.stringContaining(problem) as string] },
      });
    }
    expect(await countOf(advertiserId)).toBe(1);
  });

  it("refuses more creatives than an offer may have, and takes those that archived ones make room for", async () => {
    const advertiserId = await anAdvertiser();
    const four = Array.from({ length: 4 }, () => creativeBody());
    const { id } = await makeOffer(h.db, advertiserId);
    const own = await makeCreative(h.db, id);
    const foreign = await makeCreative(h.db, (await makeOffer(h.db, advertiserId)).id);
    const { rows } = (
      await send(
        lines(
          offerBody(advertiserId, { creatives: four }),
          { id, creatives: [...four.slice(1), { id: own.id, status: "archived" }] },
          { id: (await makeOffer(h.db, advertiserId)).id, creatives: [{ id: foreign.id, weight: 1 }] },
        ),
      )
    ).json.data;
    expect(rows).toMatchObject([
      { status: "refused", error: { code: "CONFLICT" } },
      { status: "updated" },
      { status: "refused", error: { code: "RESOURCE_NOT_FOUND" } },
    ]);
  });

  it("takes a thousand rows in one go, with one note to the edge", { timeout: 120_000 }, async () => {
    const advertiserId = await anAdvertiser();
    const rows = Array.from({ length: 1_000 }, (_, i) =>
      offerBody(advertiserId, { name: `Offer ${i}`, status: "paused", creatives: [creativeBody()] }),
    );
    expect((await send(lines(...rows))).json.data).toMatchObject({ created: 1_000, refused: 0 });
    const offers = await exported(advertiserId);
    expect(offers).toHaveLength(1_000);
    const changed = await send(lines(...offers.map(({ id }) => ({ id, title: "Changed", lifetimeCap: 5 }))));
    expect(changed.json.data).toMatchObject({ updated: 1_000, refused: 0 });
    const page = (await take(`advertiserId=${advertiserId}&skip=990&take=20`)).text.trim().split("\n");
    expect(page).toHaveLength(10);
  });

  it.each<[type: string, row: string, first: string, broken: string]>([
    [NDJSON, "{}\n", "", "{"],
    ["text/csv", "x\n", "name\n", '"'],
    ["application/json", "1,", "[", "1]"],
  ])("reads of %s no more than says that there are too many rows", async (type, row, first, broken) => {
    const body = first + row.repeat(1_001) + broken;
    expect(said(await send(body, type))).toEqual(invalid("body: has more than 1000 rows; send fewer at a time"));
    const million = first + row.repeat(1_000_000) + broken;
    expect(said(await send(million, type))).toEqual(invalid("body: has more than 1000 rows; send fewer at a time"));
  });

  it("refuses what is no list of offers", async () => {
    expect(said(await send("{}", "text/plain"))).toEqual([415, flat("UNSUPPORTED_MEDIA_TYPE")]);
    expect(said(await send("\n \n"))).toEqual(invalid("body: has no rows"));
    expect(said(await send('a,"b', "text/csv"))).toEqual(invalid("body: line 1: a quote is never closed"));
    expect(said(await send("id,nothing\n", "text/csv"))).toEqual(invalid('body: line 1: "nothing" is no column'));
    expect(said(await send("id,id\n", "text/csv"))).toEqual(invalid("body: line 1: the column id comes twice"));
    expect(said(await send("[", "application/json"))).toEqual(invalid("body: is not valid JSON"));
    const latin1 = Uint8Array.from(Buffer.from('{"name": "Café"}', "latin1"));
    for (const type of [NDJSON, "application/json", "text/csv"]) {
      expect(said(await send(latin1, type))).toEqual(invalid("body: must be UTF-8"));
    }
    expect(said(await send("x".repeat(4 * 1024 * 1024 + 1)))).toEqual([413, flat("PAYLOAD_TOO_LARGE")]);
    const { rows } = (await send("[1, null]", "application/json")).json.data;
    expect(rows.map(({ error }) => error?.details)).toEqual([
      ["row: must be a JSON object"],
      ["row: must be a JSON object"],
    ]);
    const short = (await send("name,title\nonly\n", "text/csv")).json.data;
    expect(short.rows[0]?.error?.details).toEqual(["row: has 1 cells, and the first line 2"]);
    const nowhere = await send(lines({}), NDJSON, "copyTo=none");
    expect([nowhere.status, nowhere.json]).toEqual(missing("Advertiser", "none"));
  });

  it("reaches no other platform's offers and advertisers", async () => {
    const other = await makePlatform(h.db);
    const advertiserId = await anAdvertiser();
    const { id } = await makeOffer(h.db, advertiserId);
    const answer = await send(lines(offerBody(advertiserId), { id, title: "x" }), NDJSON, "", other.token);
    expect(answer.json.data.rows.map(({ error }) => error?.code)).toEqual(["RESOURCE_NOT_FOUND", "RESOURCE_NOT_FOUND"]);
    expect(await countOf(advertiserId)).toBe(1);
  });
});

const words = fc.oneof(
  fc.stringMatching(/^[a-z=+@'"-][a-zß ,;"'\n=]{0,20}[a-z.!]$/),
  fc.constantFrom("=1+1", "'=x", "''-1", "a\nb", 'say "yes"', "ä, ö; ü"),
);
const targeting = fc.record({
  countries: fc.subarray(["DE", "US", "FR"]),
  languages: fc.subarray(["de", "en"]),
  currencies: fc.constant(["EUR", "USD"]),
  amountMin: fc.option(fc.integer({ min: 0, max: 50 })),
  amountMax: fc.option(fc.double({ min: 50, max: 99, noNaN: true })),
  categories: fc.subarray(["Automotive > Dealerships", "B2B > CRM"]),
  paymentTypes: fc.subarray(["paypal", "crypto"]),
});
const shown = {
  title: words,
  header: words,
  description: words,
  ctaText: words,
  declineButtonText: words,
  icon: fc.option(fc.constant({ url: "/icons/coffee.svg", width: 96, height: 48 })),
  destinationUrl: fc.constant("https://advertiser.example/?c={click_id}&a=1,2"),
};
const offersSent = fc.array(
  fc.record({
    ...shown,
    priority: fc.integer({ min: 1, max: 100 }),
    pricing: fc.constantFrom("CPC", "CPA"),
    bidMicros: fc.integer({ min: 0, max: 1_000_000 }),
    dailyCap: fc.option(fc.integer({ min: 1, max: 9 })),
    startsAt: fc.option(fc.constant("2026-01-01T00:00:00.000Z")),
    status: fc.constantFrom("active", "paused", "archived"),
    creativeSplit: fc.constantFrom("WEIGHTS", "LEARNED"),
    creativeWeight: fc.integer({ min: 0, max: 100 }),
    targeting,
    creatives: fc.array(fc.record({ ...shown, name: words, weight: fc.integer({ min: 0, max: 100 }) }), {
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 5 },
);

describe("an export", () => {
  it("is the same again when it is taken in elsewhere, as lines of JSON and as CSV", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(offersSent, async (sent) => {
        const [first, second, third] = [await anAdvertiser(), await anAdvertiser(), await anAdvertiser()];
        const rows = sent.map((offer, i) => ({ ...offer, name: `Offer ${i}`, advertiserId: first }));
        expect((await send(lines(...rows))).json.data.refused).toBe(0);
        const original = await exported(first);
        const asCsv = await take(`advertiserId=${first}`, "text/csv");
        expect(asCsv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
        const inLines = await take(`advertiserId=${first}`, "application/x-ndjson, text/csv;q=0.1");
        expect(inLines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
        for (const cell of parseCsv(asCsv.text).flat()) expect(cell).not.toMatch(/^[=+@-]/);
        expect((await send(lines(...original), NDJSON, `copyTo=${second}&atomic=true`)).json.data.refused).toBe(0);
        expect((await send(asCsv.text, "text/csv", `copyTo=${third}&atomic=true`)).json.data.refused).toBe(0);
        expect(compared(await exported(second))).toEqual(compared(original));
        expect(compared(await exported(third))).toEqual(compared(original));
        // Taken in where it is from, it changes nothing at all.
        expect((await send(asCsv.text, "text/csv")).json.data).toMatchObject({ updated: sent.length, refused: 0 });
        expect(await exported(first)).toEqual(original);
      }),
      { numRuns: 10 },
    );
  });
});
