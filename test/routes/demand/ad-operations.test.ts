import { afterAll, beforeAll, expect, it } from "vitest";
import { documentKey } from "../../../db/documents/keys.ts";
import type { Offer } from "../../../functions/answer/envelope.ts";
import { api, dataOf, type Method } from "../../support/api.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { DAY, idAt, makeHit, message, stored } from "../../support/tracking/hits.ts";
import { offerBody } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { deleteStored, untilStored } from "../../support/documents/stored.ts";

type Made = { id: string };

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
const call = async <Data>(token: string, method: Method, path: string, body?: object) =>
  dataOf<Data>(await api(h, method, path, { token, body }));

const US = { "at.country": "US", "at.currency": "USD", "at.amount": "80" };
const DE = { "at.country": "DE", "at.language": "de-AT", "at.currency": "EUR" };

/** A tenant made as its people would make it. */
const makeTenant = async () => {
  const { token: platform } = await call<{ token: string }>(SECRETS.ADMIN_TOKEN, "POST", "/api/v1/platforms", {
    name: "P",
  });
  const contact = { name: "Merchant", contactName: "Toni", contactEmail: "toni@test.example" };
  const publisher = await call<Made & { publicKeys: [string]; privateKeys: [{ id: string; bearer: string }] }>(
    platform,
    "POST",
    "/api/v1/publishers",
    contact,
  );
  const [{ id: tokenId, bearer }] = publisher.privateKeys;
  const site = await call<Made>(bearer, "POST", "/api/site", { name: "Shop, the first", status: "active" });
  const placement = await call<Made>(bearer, "POST", "/api/placements", {
    name: '"Thanks"',
    siteId: site.id,
    pageType: "THANK_YOU_PAGE",
    isLiveMode: true,
    template: 1,
  });
  const advertiser = await call<Made & { conversionSecret: string }>(platform, "POST", "/api/v1/advertisers", {
    name: "A",
  });
  const ours: string[] = [];
  const makeOffer = async (given: object) => {
    const { id } = await call<Made>(
      platform,
      "POST",
      "/api/v1/offers",
      offerBody(advertiser.id, { priority: 1, ...given }),
    );
    ours.push(id);
    return id;
  };
  const session = { publicKey: publisher.publicKeys[0], placementId: placement.id, count: "20" };
  /** The tenant's own offers that answer a request. */
  const offersFor = async (params: Record<string, string>) =>
    (await askOffers(h, { ...session, ...params })).offers.filter(({ bannerId }) => ours.includes(bannerId));
  /** Drops a country's list of candidates, so that the next request has it built: each request here is counted. */
  const dropList = async (country: string) => {
    const list = documentKey.candidates(placement.id, country);
    await untilStored(h, [list]);
    await deleteStored(h, list);
  };
  return { platform, publisher, tokenId, bearer, site, placement, advertiser, makeOffer, offersFor, dropList };
};

const PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const visit = async (url: string | undefined, userAgent = PERSON) => {
  const { pathname, search } = new URL(url ?? "");
  const response = await h.fetch(`${pathname}${search}`, { redirect: "manual", headers: { "user-agent": userAgent } });
  return response.headers.get("location") ?? "";
};
const of = (offers: Offer[], id: string) => offers.find(({ bannerId }) => bannerId === id);
const ids = (offers: Offer[]) => offers.map(({ bannerId }) => bannerId).toSorted();

it("from the first token to the report: what was targeted is served, what was done is counted and paid", async () => {
  const tenant = await makeTenant();
  const { platform, bearer, site, placement, advertiser, makeOffer, offersFor, dropList } = tenant;

  expect(await offersFor(US)).toEqual([]);
  const home = { pricing: "CPM", bidMicros: 2_000_000, publisherShareBps: 5_000 };
  const cpm = await makeOffer({ ...home, targeting: { includeSites: [site.id], countries: ["US"] } });
  await dropList("US");
  expect(ids(await offersFor(US))).toEqual([cpm]);
  expect(await offersFor(DE)).toEqual([]);
  const cpc = await makeOffer({ targeting: { includeSites: [site.id], languages: ["de"] } });
  await dropList("DE");
  const german = await offersFor(DE);
  expect(ids(german)).toEqual([cpc]);
  const large = { includeSites: [site.id], currencies: ["EUR"], amountMin: 50 };
  const cpa = await makeOffer({ pricing: "CPA", bidMicros: 10_000_000, publisherShareBps: 6_000, targeting: large });
  await dropList("DE");
  expect(ids(await offersFor({ ...DE, "at.amount": "49.99" }))).toEqual([cpc]);
  const rich = await offersFor({ ...DE, "at.amount": "50" });
  expect(ids(rich)).toEqual([cpc, cpa].toSorted());
  const american = await offersFor({ ...US, sessionId: "s-2" });
  const another = await offersFor({ ...US, sessionId: "s-3" });
  expect([ids(american), ids(another)]).toEqual([[cpm], [cpm]]);

  for (const offers of [american, american, another]) await visit(of(offers, cpm)?.beaconUrl);
  await visit(`${of(american, cpm)?.beaconUrl}&v=1`);
  await visit(`${of(another, cpm)?.closeUrl}&r=decline`);
  await visit(of(german, cpc)?.beaconUrl);
  for (const agent of [PERSON, PERSON, "Googlebot/2.1 (+http://www.google.com/bot.html)"])
    await visit(of(german, cpc)?.clickUrl, agent);
  const landing = await visit(of(rich, cpa)?.clickUrl);
  await Promise.all([stored(h, cpm, 5), stored(h, cpc, 4), stored(h, cpa, 1)]);
  const clickId = new URL(landing).searchParams.get("click") ?? "";
  const sale = {
    clickId,
    transactionId: "order-1",
    amount: "80.50",
    currency: "EUR",
  };
  const reporting = { headers: { authorization: `Bearer ${advertiser.conversionSecret}` } };
  for (const counted of [true, false]) {
    const response = await h.fetch(`/conversion?${new URLSearchParams(sale).toString()}`, reporting);
    expect(await response.json()).toMatchObject({ data: { counted } });
  }
  const yesterday = Date.now() - DAY;
  const click = { offerId: cpc, placementId: placement.id, country: "DE", occurredAt: yesterday };
  await h.deliver([message(makeHit({ ...click, decisionId: idAt("decision", yesterday - 1_000) }))]);

  await call(platform, "PATCH", `/api/v1/publishers/${tenant.publisher.id}/api-tokens/${tenant.tokenId}/access`, {
    grossAccess: true,
  });
  const days = [iso(yesterday), iso(Date.now())].map((day) => day.replaceAll("-", ""));
  const asked = `dateStart=${days[0]}&dateEnd=${days[1]}&groupBy=COUNTRY&breakdownBy=DAY`;
  const report = () => call<{ requests: number }[]>(bearer, "GET", `/api/report?${asked}`);
  const rows = await h.until(report, (found) => found.reduce((sum, { requests }) => sum + requests, 0) >= 8);

  const place = { placementId: placement.id, placementName: '"Thanks"' };
  const nothing = {
    requests: 0,
    fills: 0,
    impressions: 0,
    viewable: 0,
    clicks: 0,
    closes: 0,
    declines: 0,
    conversions: 0,
    transactions: 0,
    ctr: 0,
    goOn: null,
  };
  const expected = [
    { date: iso(yesterday), ...place, country: "DE", ...nothing, clicks: 1, revenue: 0.35, gross: 0.5, profit: 0.15 },
    {
      date: iso(Date.now()),
      ...place,
      country: "DE",
      ...nothing,
      requests: 4,
      fills: 4,
      impressions: 1,
      clicks: 2,
      conversions: 1,
      transactions: 1,
      ctr: 2,
      revenue: 6.35,
      gross: 10.5,
      profit: 4.15,
    },
    {
      date: iso(Date.now()),
      ...place,
      country: "US",
      ...nothing,
      requests: 4,
      fills: 4,
      impressions: 2,
      viewable: 1,
      closes: 1,
      declines: 1,
      goOn: 1,
      revenue: 0.002,
      gross: 0.004,
      profit: 0.002,
    },
  ];
  expect(rows).toEqual(expected);
  const headers = { authorization: `Bearer ${bearer}`, accept: "text/csv" };
  const csv = await (await h.fetch(`/api/report?${asked}`, { headers })).text();
  const quoted = (value: string | number | null) => (value === place.placementName ? '"""Thanks"""' : value);
  const lines = [Object.keys(expected[0] ?? {}), ...expected.map((row) => Object.values(row).map(quoted))];
  expect(csv).toBe(lines.map((line) => `${line.join(",")}\r\n`).join(""));

  const hits = await call<object[]>(
    platform,
    "GET",
    `/api/v1/hits?dateStart=${days[1]}&dateEnd=${days[1]}&offerId=${cpc}`,
  );
  const reasons = {
    offerId: cpc,
    placementId: placement.id,
    repeated: 0,
    overCap: 0,
    reversed: 0,
    expired: 0,
    test: 0,
  };
  expect(hits).toEqual([
    { ...reasons, kind: "click", hits: 3, unique: 1, duplicate: 1, bot: 1, gross: 0.5 },
    { ...reasons, kind: "impression", hits: 1, unique: 1, duplicate: 0, bot: 0, gross: 0 },
  ]);
});
