import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { idOf } from "../../../support/api.ts";
import { creativeBody, makeCreative, makeOffer, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { lines, makeImporter, NDJSON, type Importer } from "../../../support/transfers.ts";

let h: Harness;
let importer: Importer;

beforeAll(async () => {
  h = await sharedHarness();
  importer = await makeImporter(h);
});

describe("an import", () => {
  it("makes and changes offers with their creatives, and answers each row", async () => {
    const advertiserId = await importer.advertiser();
    const there = await makeOffer(h.db, advertiserId, { name: "There" });
    const own = await makeCreative(h.db, there.id);
    const answer = await importer.send(
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
    const offers = await importer.exported(advertiserId);
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

  it("makes new offers in the order of their rows", async () => {
    const advertiserId = await importer.advertiser();
    const names = Array.from({ length: 20 }, (_, i) => `Row ${i}`);
    const { json } = await importer.send(lines(...names.map((name) => offerBody(advertiserId, { name }))));
    const offers = await importer.exported(advertiserId);
    expect(offers.map(({ name }) => name)).toEqual(names);
    expect(offers.map(({ id }) => id)).toEqual(json.data.rows.map(({ id }) => id));
  });

  it("changes nothing when it is atomic and a row is refused", async () => {
    const advertiserId = await importer.advertiser();
    const body = lines(offerBody(advertiserId), offerBody(advertiserId, { bidMicros: 1, pricing: "CPM" }));
    const answer = await importer.send(body, NDJSON, "atomic=true");
    expect(answer).toMatchObject({
      status: 200,
      json: {
        message: "Nothing was imported, because 1 of 2 rows are refused; data.rows says what became of each",
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
    expect((await importer.send(`${lines(offerBody(advertiserId))}x`, NDJSON, "atomic=true")).json.data).toMatchObject({
      created: 0,
      refused: 1,
    });
    expect(await h.count("offers where advertiser_id = $1", [advertiserId])).toBe(0);
    expect((await importer.send(body)).json.data).toMatchObject({ created: 1, refused: 1 });
    expect(await h.count("offers where advertiser_id = $1", [advertiserId])).toBe(1);
  });

  it("takes a thousand rows in one go, with one note to the edge", { timeout: 120_000 }, async () => {
    const advertiserId = await importer.advertiser();
    const rows = Array.from({ length: 1_000 }, (_, i) =>
      offerBody(advertiserId, { name: `Offer ${i}`, status: "paused", creatives: [creativeBody()] }),
    );
    expect((await importer.send(lines(...rows))).json.data).toMatchObject({ created: 1_000, refused: 0 });
    const offers = await importer.exported(advertiserId);
    expect(offers).toHaveLength(1_000);
    const changed = await importer.send(lines(...offers.map(({ id }) => ({ id, title: "Changed", lifetimeCap: 5 }))));
    expect(changed.json.data).toMatchObject({ updated: 1_000, refused: 0 });
    const page = (await importer.take(`advertiserId=${advertiserId}&skip=990&take=20`)).text.trim().split("\n");
    expect(page).toHaveLength(10);
  });
});
