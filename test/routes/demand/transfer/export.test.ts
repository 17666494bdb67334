import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCsv } from "../../../../functions/core/csv.ts";
import { sharedHarness } from "../../../support/harness.ts";
import { lines, makeImporter, NDJSON, type Exported, type Importer } from "../../../support/transfers.ts";

let importer: Importer;

beforeAll(async () => {
  importer = await makeImporter(await sharedHarness());
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

const withoutIds = (creative: Record<string, unknown>) => {
  const { id: _, offerId: __, createdAt: ___, updatedAt: ____, ...rest } = creative;
  return rest;
};
/** Returns an offer without what differs in each copy of it. */
const comparable = (offer: Exported) => {
  const { id: _, advertiserId: __, createdAt: ___, updatedAt: ____, creatives, ...rest } = offer;
  return { offer: rest, creatives: creatives.map(withoutIds) };
};
const compared = (offers: Exported[]) => offers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(comparable);

describe("an export", () => {
  it("is the same again when it is taken in elsewhere, as lines of JSON and as CSV", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(offersSent, async (sent) => {
        const [first, second, third] = [
          await importer.advertiser(),
          await importer.advertiser(),
          await importer.advertiser(),
        ];
        const rows = sent.map((offer, i) => ({ ...offer, name: `Offer ${i}`, advertiserId: first }));
        expect((await importer.send(lines(...rows))).json.data.refused).toBe(0);
        const original = await importer.exported(first);
        const asCsv = await importer.take(`advertiserId=${first}`, "text/csv");
        expect(asCsv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
        const inLines = await importer.take(`advertiserId=${first}`, "application/x-ndjson, text/csv;q=0.1");
        expect(inLines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
        for (const cell of parseCsv(asCsv.text).flat()) expect(cell).not.toMatch(/^[=+@-]/);
        expect(
          (await importer.send(lines(...original), NDJSON, `copyTo=${second}&atomic=true`)).json.data.refused,
        ).toBe(0);
        expect((await importer.send(asCsv.text, "text/csv", `copyTo=${third}&atomic=true`)).json.data.refused).toBe(0);
        expect(compared(await importer.exported(second))).toEqual(compared(original));
        expect(compared(await importer.exported(third))).toEqual(compared(original));
        // Imported where it comes from, it changes nothing at all.
        expect((await importer.send(asCsv.text, "text/csv")).json.data).toMatchObject({
          updated: sent.length,
          refused: 0,
        });
        expect(await importer.exported(first)).toEqual(original);
      }),
      { numRuns: 10 },
    );
  });
});
