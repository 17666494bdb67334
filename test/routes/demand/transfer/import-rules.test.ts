import { beforeAll, describe, expect, it } from "vitest";
import { parseCsv } from "../../../../functions/core/csv.ts";
import { newId } from "../../../../db/core/ids.ts";
import { readRows } from "../../../../functions/routes/demand/transfer-rows.ts";
import { api, flat, invalid, missing, said } from "../../../support/api.ts";
import { creativeBody, makeCreative, makeOffer, makePlatform, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { lines, makeImporter, NDJSON, type Importer } from "../../../support/transfers.ts";

let h: Harness;
let importer: Importer;

beforeAll(async () => {
  h = await sharedHarness();
  importer = await makeImporter(h);
});

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe("an import", () => {
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
    const advertiserId = await importer.advertiser();
    const { id } = await makeOffer(h.db, advertiserId);
    const { rows } = (await importer.send(lines(offerBody(advertiserId, given), { id, ...given }))).json.data;
    for (const row of rows) {
      expect(row).toMatchObject({
        status: "refused",
        error: { details: [expect.stringContaining(problem) as string] },
      });
    }
    expect(await h.count("offers where advertiser_id = $1", [advertiserId])).toBe(1);
  });

  it("refuses more creatives than an offer may have, and takes those that archived ones make room for", async () => {
    const advertiserId = await importer.advertiser();
    const four = Array.from({ length: 4 }, () => creativeBody());
    const { id } = await makeOffer(h.db, advertiserId);
    const own = await makeCreative(h.db, id);
    const foreign = await makeCreative(h.db, (await makeOffer(h.db, advertiserId)).id);
    const { rows } = (
      await importer.send(
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

  it.each([
    ["semicolons, as a spreadsheet saves it where numbers have decimal commas", ";"],
    ["tabs, as it is copied from one", "\t"],
  ])("reads an export between %s", async (_, between) => {
    const advertiserId = await importer.advertiser();
    const given = { targeting: { countries: ["DE", "FR"] }, description: "One; two\tthree, four" };
    const { rows } = (await importer.send(lines(offerBody(advertiserId, given)))).json.data;
    const { text } = await importer.take(`advertiserId=${advertiserId}`, "text/csv");
    const [columns = [], cells = []] = parseCsv(text);
    cells[columns.indexOf("title")] = "Newer";
    const sent = [columns.join(between), cells.map(quoted).join(between)].join("\r\n");
    const answer = await importer.send(`\uFEFF${sent}\r\n`, "text/csv");
    expect(answer.json.data).toEqual({
      created: 0,
      updated: 1,
      refused: 0,
      rows: [{ row: 1, status: "updated", id: rows[0]?.id }],
    });
    const stored = await h.rows("select title, description, countries from offers where id = $1", [rows[0]?.id]);
    expect(stored).toEqual([{ title: "Newer", description: given.description, countries: ["DE", "FR"] }]);
  });

  it.each<[type: string, row: string, first: string, broken: string]>([
    [NDJSON, "{}\n", "", "{"],
    ["text/csv", "x\n", "name\n", '"'],
    ["application/json", "1,", "[", "1]"],
  ])("reads of %s no more than says that there are too many rows", async (type, row, first, broken) => {
    const body = first + row.repeat(1_001) + broken;
    expect(said(await importer.send(body, type))).toEqual(
      invalid("body: has more than 1000 rows; send fewer at a time"),
    );
    const million = first + row.repeat(1_000_000) + broken;
    expect(said(await importer.send(million, type))).toEqual(
      invalid("body: has more than 1000 rows; send fewer at a time"),
    );
  });

  it("tells of a row no more than the endpoint for one offer does, however much of it is wrong", async () => {
    const body = offerBody(await importer.advertiser(), { targeting: { languages: Array<string>(500).fill("") } });
    const alone = await api(h, "POST", "/api/v1/offers", { token: importer.token, body });
    const { error: message, details } = alone.json as { error: string; details: string[] };
    const { rows } = (await importer.send(lines(body))).json.data;
    expect(rows).toMatchObject([{ status: "refused", error: { code: "VALIDATION_FAILED", message, details } }]);
    expect(details.at(-1)).toMatch(/^and \d+ more$/);
    const members = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`a${i}`, 1]));
    const { rows: unknown } = (await importer.send(lines(members, { creatives: [members] }))).json.data;
    expect(unknown.map(({ error }) => error?.details)).toEqual([
      expect.arrayContaining(["name: is required"]),
      expect.arrayContaining(["creatives.0.name: is required"]),
    ]);
  });

  it("looks at no more creatives of a row than an offer may ever have", async () => {
    const advertiserId = await importer.advertiser();
    const row = offerBody(advertiserId, { creatives: Array.from({ length: 101 }, () => ({})) });
    const { rows } = (await importer.send(lines(row))).json.data;
    expect(rows[0]?.error?.details).toEqual(["creatives: must have at most 100 entries"]);
    expect(await h.count("offers where advertiser_id = $1", [advertiserId])).toBe(0);
  });

  it("looks up more categories than a query has parameters", async () => {
    const advertiserId = await importer.advertiser();
    const right = offerBody(advertiserId, { targeting: { categories: ["Automotive > Dealerships"] } });
    const wrong = Array.from({ length: 140 }, (_, row) => {
      const categories = Array.from({ length: 500 }, (__, i) => `${row} ${i}`);
      return offerBody(advertiserId, { targeting: { categories } });
    });
    const { status, json } = await importer.send(lines(right, ...wrong));
    expect([status, json.data]).toMatchObject([200, { created: 1, refused: 140 }]);
    expect(json.data.rows[1]?.error?.details).toContain("targeting.categories: has no category named 0 0");
    expect(await h.count("offers where advertiser_id = $1", [advertiserId])).toBe(1);
  });

  it("lets others in the isolate have their turn between its rows", async () => {
    let turns = 0;
    const giveWay = async () => {
      turns += 1;
    };
    const rows = await readRows(
      Array.from({ length: 1_000 }, () => ({ value: offerBody(newId("advertiser")) })),
      undefined,
      giveWay,
    );
    expect(rows.every((row) => !("refusal" in row))).toBe(true);
    expect(turns).toBe(100);
  });

  it("refuses what is no list of offers", async () => {
    expect(said(await importer.send("{}", "text/plain"))).toEqual([415, flat("UNSUPPORTED_MEDIA_TYPE")]);
    expect(said(await importer.send("\n \n"))).toEqual(invalid("body: has no rows"));
    expect(said(await importer.send('a,"b', "text/csv"))).toEqual(invalid("body: line 1: a quote is never closed"));
    expect(said(await importer.send("id,nothing\n", "text/csv"))).toEqual(
      invalid('body: line 1: "nothing" is no column'),
    );
    expect(said(await importer.send("id,id\n", "text/csv"))).toEqual(
      invalid("body: line 1: the column id comes twice"),
    );
    expect(said(await importer.send("[", "application/json"))).toEqual(invalid("body: is not valid JSON"));
    const deep = `{"a":${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}}`;
    expect(said(await importer.send(deep, "application/json"))).toEqual(
      invalid("body: is nested deeper than 32 levels"),
    );
    expect((await importer.send(`${deep}\n`)).json.data.rows.map(({ error }) => error?.details)).toEqual([
      ["row: is nested deeper than 32 levels"],
    ]);
    const latin1 = Uint8Array.from(Buffer.from('{"name": "Café"}', "latin1"));
    for (const type of [NDJSON, "application/json", "text/csv"]) {
      expect(said(await importer.send(latin1, type))).toEqual(invalid("body: must be UTF-8"));
    }
    expect(said(await importer.send("x".repeat(4 * 1024 * 1024 + 1)))).toEqual([413, flat("PAYLOAD_TOO_LARGE")]);
    const { rows } = (await importer.send("[1, null]", "application/json")).json.data;
    expect(rows.map(({ error }) => error?.details)).toEqual([
      ["row: must be a JSON object"],
      ["row: must be a JSON object"],
    ]);
    const short = (await importer.send("name,title\nonly\n", "text/csv")).json.data;
    expect(short.rows[0]?.error?.details).toEqual(["row: has 1 cells, and the first line 2"]);
    const nowhere = await importer.send(lines({}), NDJSON, "copyTo=none");
    expect([nowhere.status, nowhere.json]).toEqual(missing("Advertiser", "none"));
  });

  it("reaches no other platform's offers and advertisers", async () => {
    const other = await makePlatform(h.db);
    const advertiserId = await importer.advertiser();
    const { id } = await makeOffer(h.db, advertiserId);
    const answer = await importer.send(lines(offerBody(advertiserId), { id, title: "x" }), NDJSON, "", other.token);
    expect(answer.json.data.rows.map(({ error }) => error?.code)).toEqual(["RESOURCE_NOT_FOUND", "RESOURCE_NOT_FOUND"]);
    expect(await h.count("offers where advertiser_id = $1", [advertiserId])).toBe(1);
  });
});
