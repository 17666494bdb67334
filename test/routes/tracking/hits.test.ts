import { beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { reverseConversion } from "../../../db/tracking/conversions/reverse.ts";
import type { Conversion, Hit } from "../../../db/tracking/hits.ts";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, invalid, said } from "../../support/api.ts";
import { DAY, idAt, makeHit } from "../../support/tracking/hits.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

const ADMIN = SECRETS.ADMIN_TOKEN;
const compact = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll("-", "");

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const ask = (token: string, asked: Record<string, string>) =>
  api(h, "GET", `/api/v1/hits?${new URLSearchParams(asked).toString()}`, { token });
const days = (from: number, to = Date.now()) => ({ dateStart: compact(from), dateEnd: compact(to) });

/** A day may end while these tests run: what they make is looked for from when they began until now. */
const begun = Date.now();
const sinceBegun = () => days(begun);
const rows = async (token: string, asked: Record<string, string>) =>
  dataOf<object[]>(await ask(token, { ...sinceBegun(), ...asked }));

const makeOwned = async () => {
  const platform = await makePlatform(h.db);
  const advertiser = await makeAdvertiser(h.db, { platformId: platform.id });
  return { token: platform.token, offer: await makeOffer(h.db, advertiser.id) };
};
const conversion = (hit: Hit, transactionId: string): Conversion => ({
  ...hit,
  kind: "conversion",
  transactionId,
  amountMicros: null,
  currency: null,
});

describe("raw and valid counts", () => {
  it("tell of every kind what was counted, and why the rest was not", async () => {
    const { token, offer } = await makeOwned();
    const placementId = newId("placement");
    const decisionId = newId("decision");
    const hit = (kind: Hit["kind"], reason: Hit["reason"] = null) =>
      makeHit({ offerId: offer.id, placementId, decisionId, kind, reason });
    await recordHits(h.db, [
      ...(["impression", "viewable", "click", "close"] as const).flatMap((kind) => [
        hit(kind),
        hit(kind),
        hit(kind),
        hit(kind, "bot"),
        hit(kind, "expired"),
        hit(kind, "test"),
        makeHit({ offerId: offer.id, placementId, kind }),
      ]),
      conversion(hit("conversion"), "t-1"),
      conversion(hit("conversion"), "t-1"),
      conversion(hit("conversion"), "t-2"),
    ]);
    const row = (kind: string, counts: object) => ({ offerId: offer.id, placementId, kind, ...counts });
    // The offer pays for clicks: two of them counted.
    const none = { repeated: 0, overCap: 0, reversed: 0, gross: 0 };
    const seen = { ...none, hits: 7, unique: 2, duplicate: 2, bot: 1, expired: 1, test: 1 };
    const answer = await ask(token, { ...sinceBegun(), offerId: offer.id });
    const data = [
      row("click", { ...seen, gross: 1 }),
      row("close", seen),
      row("conversion", { ...none, hits: 3, unique: 2, duplicate: 1, bot: 0, expired: 0, test: 0 }),
      row("impression", seen),
      row("viewable", seen),
    ];
    expect(said(answer)).toEqual([200, { success: true, data }]);
    expect(await rows(ADMIN, { placementId })).toEqual(data);
  });

  it("are by offer and placement, of the days asked for", async () => {
    const { token, offer } = await makeOwned();
    const places = [newId("placement"), newId("placement")].toSorted();
    const yesterday = begun - DAY;
    await recordHits(h.db, [
      ...places.map((placementId) => makeHit({ offerId: offer.id, placementId })),
      makeHit({
        offerId: offer.id,
        placementId: places[0] ?? "",
        occurredAt: yesterday,
        decisionId: idAt("decision", yesterday),
      }),
    ]);
    const hits = async (asked: Record<string, string>) =>
      (await rows(token, asked)).map((row) => ("hits" in row ? row.hits : undefined));
    expect(await hits({})).toEqual([1, 1]);
    expect(await hits(days(yesterday))).toEqual([2, 1]);
    expect(await hits(days(yesterday, yesterday))).toEqual([1]);
    expect(await hits({ ...days(yesterday), placementId: places[1] ?? "" })).toEqual([1]);
    expect(await hits({ offerId: newId("offer") })).toEqual([]);
    expect(await hits({ offerId: "ofr_1" })).toEqual([]);
    expect(await hits({ placementId: "plc_1" })).toEqual([]);
  });

  it("are split by country when asked, with what is owed, and a reversal takes it back there", async () => {
    const advertiser = await makeAdvertiser(h.db);
    const offer = await makeOffer(h.db, advertiser.id, { pricing: "CPA", bidMicros: 2_500_000 });
    const placementId = newId("placement");
    const made = ["US", "US", "DE"].map((country) => makeHit({ offerId: offer.id, placementId, country }));
    await recordHits(h.db, [...made, ...made.map((hit, i) => conversion({ ...hit, id: newId("event") }, `t-${i}`))]);
    const byCountry = async () =>
      (await rows(ADMIN, { offerId: offer.id, groupBy: "COUNTRY" })).map((row) => Object.values(row).join(" "));
    const clicks = (country: string, n: number) =>
      `${offer.id} ${placementId} ${country} click ${n} ${n} 0 0 0 0 0 0 0 0`;
    const paid = (country: string, hits: number, counted: number, reversed: number) =>
      `${offer.id} ${placementId} ${country} conversion ${hits} ${counted} 0 0 ${reversed} 0 0 0 0 ${counted * 2.5}`;
    expect(await byCountry()).toEqual([clicks("DE", 1), paid("DE", 1, 1, 0), clicks("US", 2), paid("US", 2, 2, 0)]);
    await reverseConversion(h.db, { advertiserId: advertiser.id, transactionId: "t-0" }, null);
    expect(await byCountry()).toEqual([clicks("DE", 1), paid("DE", 1, 1, 0), clicks("US", 2), paid("US", 2, 1, 1)]);
    expect(await rows(ADMIN, { offerId: offer.id })).toMatchObject([
      { kind: "click", hits: 3, gross: 0 },
      { kind: "conversion", hits: 3, reversed: 1, gross: 5 },
    ]);
  });

  it("come as CSV, with names of columns where there is nothing", async () => {
    const csv = async (asked: Record<string, string>) => {
      const path = `/api/v1/hits?${new URLSearchParams({ ...sinceBegun(), ...asked }).toString()}`;
      const response = await h.fetch(path, { headers: { authorization: `Bearer ${ADMIN}`, accept: "text/csv" } });
      return [response.headers.get("content-type"), await response.text()];
    };
    const { offer } = await makeOwned();
    const counts = "kind,hits,unique,repeated,overCap,reversed,duplicate,bot,expired,test,gross\r\n";
    const type = "text/csv; charset=utf-8";
    expect(await csv({ offerId: offer.id })).toEqual([type, `offerId,placementId,${counts}`]);
    const hit = makeHit({ offerId: offer.id, country: "FR" });
    await recordHits(h.db, [hit]);
    const line = `${offer.id},${hit.placementId},FR,click,1,1,0,0,0,0,0,0,0,0.5\r\n`;
    expect(await csv({ offerId: offer.id, groupBy: "COUNTRY" })).toEqual([
      type,
      `offerId,placementId,country,${counts}${line}`,
    ]);
  });

  it("are a platform's own, and all the administrator's, unknown offers' too", async () => {
    const own = await makeOwned();
    const other = await makeOwned();
    const unknown = newId("offer");
    await recordHits(
      h.db,
      [own.offer.id, other.offer.id, unknown].map((offerId) => makeHit({ offerId, reason: "test" })),
    );
    expect(await rows(own.token, {})).toMatchObject([{ offerId: own.offer.id, hits: 1, unique: 0, test: 1 }]);
    for (const offerId of [other.offer.id, unknown]) {
      expect(await rows(own.token, { offerId })).toEqual([]);
      expect(await rows(ADMIN, { offerId })).toMatchObject([{ offerId, hits: 1 }]);
    }
  });

  it("tell what is owed for an offer that was deleted, and its advertiser, while its first hit was on its way", async () => {
    const { token, offer } = await makeOwned();
    const other = await makeOwned();
    for (const path of [`offers/${offer.id}`, `advertisers/${offer.advertiserId}`]) {
      expect((await api(h, "DELETE", `/api/v1/${path}`, { token })).status).toBe(200);
    }
    expect(await h.count("offers where id = $1", [offer.id])).toBe(0);
    await recordHits(h.db, [makeHit({ offerId: offer.id })]);
    for (const asked of [{}, { offerId: offer.id }] as Record<string, string>[]) {
      expect(await rows(token, asked)).toMatchObject([{ offerId: offer.id, unique: 1, gross: 0.5 }]);
    }
    expect(await rows(other.token, { offerId: offer.id })).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["another form", { dateStart: "2026-11-21" }, "dateStart: must be a day as YYYYMMDD"],
    ["a reversed range", days(Date.now(), Date.now() - DAY), "dateEnd: must not be before dateStart"],
    ["181 days back", days(Date.now() - 181 * DAY), "dateStart: must be at most 180 days back"],
    ["a blank offer", { offerId: "" }, "offerId: must not be empty"],
    ["an unknown group", { groupBy: "SITE" }, "groupBy.0: must be one of COUNTRY"],
  ])("are refused with %s", async (_, asked, problem) => {
    expect(said(await ask(ADMIN, { ...sinceBegun(), ...asked }))).toEqual(invalid(problem));
  });

  it("are refused for more than 50,000 rows, which an offer or a placement would be less than", async () => {
    await h.rows(
      `insert into daily_hits (day, placement_id, offer_id, kind, outcome, hits)
       select (now() at time zone 'UTC')::date, 'plc_' || n, 'ofr_' || n, 'click', 'counted', 1 from generate_series(1, 50001) n`,
    );
    const problem = "offerId: is needed, or placementId, for more than 50000 rows";
    expect(said(await ask(ADMIN, sinceBegun()))).toEqual(invalid(problem));
    expect(await rows(ADMIN, { offerId: "ofr_7" })).toHaveLength(1);
  });
});
