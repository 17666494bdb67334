import { demoOffersForAll } from "../../../db/demo/offers-for-all.ts";
import { demoOffersTargeted } from "../../../db/demo/offers-targeted.ts";
import { demo } from "../../../db/demo/network.ts";
import { ARMS } from "../../../functions/decision/arms.ts";
import { api, dataOf, type Method } from "../api.ts";
import {
  makeAdvertiser,
  makeCreative,
  makeOffer,
  makePlacement,
  makePlatform,
  makePublisher,
  makeSite,
  makeUsage,
} from "../factories.ts";
import type { Harness } from "../harness.ts";
import { reporting } from "../tracking/reporting.ts";

// A platform that looks like a real one: shops with two months of traffic that follows the week, and offers of the
// demo.

const SHOPS = [
  { name: "Alder & Oak", domain: "alderandoak.example", placements: ["Thank-you page", "Order status"] },
  { name: "Fjord Outdoor", domain: "fjordoutdoor.example", placements: ["Thank-you page"] },
  { name: "Maison Lumière", domain: "maisonlumiere.example", placements: ["Page de remerciement"] },
  { name: "Kettle & Crumb", domain: "kettleandcrumb.example", placements: ["Thank-you page", "Order status"] },
  { name: "Bluebell Books", domain: "bluebellbooks.example", placements: ["Thank-you page"] },
] as const;

const COUNTRIES = ["US", "GB", "DE", "FR"];

/**
 * Makes counters of two months at placements: each placement has its size, each offer its appeal, each country its
 * share.
 */
const COUNT = `
  with given as (
    select d, p.id, p.site_id, s.publisher_id, o.id as offer_id, o.advertiser_id, c.code,
      (90 - 14 * p.n) * (1 + 0.35 * sin(d * 0.8976)) * (1 + d % 5 * 0.04) * (1 - d * 0.006)
        * case d when 0 then extract(epoch from now() at time zone 'UTC' - (now() at time zone 'UTC')::date) / 86400 else 1 end / (c.n + 1) as size,
      o.n as rank
    from generate_series(0, 59) d,
      unnest($1::text[]) with ordinality as p0 (id, n) join placements on placements.id = p0.id
        cross join lateral (select p0.id, p0.n, placements.site_id) p
        join sites s on s.id = p.site_id,
      unnest($2::text[]) with ordinality as o0 (id, n) join offers on offers.id = o0.id
        cross join lateral (select o0.id, o0.n, offers.advertiser_id) o,
      unnest($3::text[]) with ordinality as c (code, n))
  insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, impressions,
    viewables, clicks, closes, declines, endings, conversions, transactions, gross_micros, revenue_micros)
  select (now() at time zone 'UTC')::date - d, id, offer_id, advertiser_id, code, site_id, publisher_id, shown,
    round(shown * (0.86 - 0.03 * rank)), clicks, round(shown * 0.3), round(shown * 0.2), round(shown * 0.06),
    round(clicks * 0.12), round(clicks * 0.1), clicks * 420000, clicks * 294000
  from (select *, round(size * (10 - rank)) as shown, round(size * (10 - rank) * (0.11 - 0.012 * rank)) as clicks
    from given) g
  on conflict do nothing`;

/** Makes counters of requests for the same time, by day and by hour; some requests got no offer. */
const COUNT_REQUESTS = `
  with days as (
    select day, placement_id, country, site_id, publisher_id, sum(impressions) / 3 as requests
    from daily_counters where placement_id = any($1) group by 1, 2, 3, 4, 5),
  counted as (
    insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, requests, fills)
    select day, placement_id, '', '', country, site_id, publisher_id, round(requests), round(requests * 0.94) from days)
  insert into hourly_requests (hour, placement_id, country, reason, arm, requests)
  select (day + make_interval(hours => h)) at time zone 'UTC', placement_id, country, reason, '0',
    round(requests / 24 * share)
  from days, generate_series(0, 23) h, (values ('', 0.94), ('no_eligible_offer', 0.05), ('site_ads_disabled', 0.01))
    as r (reason, share)
  where day > (now() at time zone 'UTC')::date - 9 and (day + make_interval(hours => h)) at time zone 'UTC' < now()
    and round(requests / 24 * share) > 0`;

/** Makes counters of hits for the same time, by kind. */
const COUNT_HITS = `
  insert into daily_hits (day, placement_id, offer_id, kind, outcome, country, hits, gross_micros)
  select day, placement_id, offer_id, kind, 'counted', country, hits, case kind when 'click' then gross_micros else 0 end
  from daily_counters, lateral (values ('impression', impressions), ('viewable', viewables), ('click', clicks),
    ('close', closes), ('conversion', conversions)) as k (kind, hits)
  where placement_id = any($1) and offer_id <> '' and hits > 0`;

type Publisher = Awaited<ReturnType<typeof makePublisher>>;

/** Changes something as its owners would, so that there is a history. */
const change = async (h: Harness, { id, privateKey }: Publisher, siteId: string, placementId: string) => {
  const call = async (method: Method, path: string, body: object) =>
    dataOf(await api(h, method, path, { token: privateKey, body }));
  await call("PUT", `/api/site/${siteId}`, {
    categoryName: "Home and Decor > Home Appliances and Furnishings",
    orderVolume: 4_200,
  });
  await call("PUT", `/api/placements/${placementId}`, { data: { brandName: "Alder & Oak" } });
  await call("PATCH", `/api/v1/publishers/${id}/ads`, { adsEnabled: false, reason: "Stocktaking" });
  await call("PATCH", `/api/v1/publishers/${id}/ads`, { adsEnabled: true });
  await call("POST", `/api/v1/publishers/${id}/api-tokens`, { name: "Accounting", access: "READ" });
};

/**
 * Makes a platform with shops, offers and two months of traffic. Names are always the same, so a database can have only
 * one.
 */
export const makeBusyNetwork = async (h: Harness) => {
  const platform = await makePlatform(h.db, { name: "Northlight Commerce" });
  const shops = [];
  for (const { name, domain, placements } of SHOPS) {
    const contactEmail = `hello@${domain}`;
    const publisher = await makePublisher(h.db, {
      platformId: platform.id,
      name,
      contactName: "Robin Vale",
      contactEmail,
    });
    const site = await makeSite(h.db, publisher.id, { name: `${name}, main shop`, domain });
    const made = [];
    for (const of of placements) {
      const pageType = of === "Order status" ? "ORDER_PAGE" : "THANK_YOU_PAGE";
      made.push(await makePlacement(h.db, site.id, { name: `${of}, ${name}`, pageType }));
    }
    shops.push({ publisher, site, placements: made });
  }
  const [first] = shops;
  if (!first) throw new Error("there are shops");
  await makeSite(h.db, first.publisher.id, { name: "Alder & Oak, outlet", status: "inactive" });
  await makeSite(h.db, first.publisher.id, { name: "Alder & Oak, gifts", status: "pending" });

  const names = new Map<string, string>(Object.entries(demo.advertisers).map(([name, id]) => [id, name]));
  const advertisers = new Map<string, string>();
  const offers = [];
  const likes = [...demoOffersForAll, ...demoOffersTargeted].slice(0, 8);
  for (const [n, { id: _, advertiserId, icon, ...like }] of likes.entries()) {
    const name = (names.get(advertiserId) ?? "Brindlecup")
      .replace(/^./, (letter) => letter.toUpperCase())
      .replace(/(?=[A-Z])(?!^)/g, " ");
    const made = advertisers.get(name) ?? (await makeAdvertiser(h.db, { platformId: platform.id, name })).id;
    advertisers.set(name, made);
    const look = { iconUrl: `/icons/${icon}.svg`, iconWidth: 96, iconHeight: 96 };
    const given = { ...like, ...look, pricing: "CPC", bidMicros: 420_000, priority: 1 } as const;
    offers.push(await makeOffer(h.db, made, { ...given, dailyCap: n < 2 ? 1_000 : null, lifetimeCap: null }));
  }
  const [offer, near] = offers;
  if (!offer || !near) throw new Error("there are offers");
  await makeCreative(h.db, offer.id, { name: "Shorter", title: "Coffee, free", weight: 100 });
  const today = new Date().toISOString().slice(0, 10);
  await makeUsage(h.db, offer.id, today, 412);
  await makeUsage(h.db, near.id, today, 913);

  const placementIds = shops.flatMap(({ placements }) => placements.map(({ id }) => id));
  const shown = offers.slice(0, 6).map(({ id }) => id);
  await h.rows(COUNT, [placementIds, shown, COUNTRIES]);
  await h.rows(COUNT_REQUESTS, [placementIds]);
  await h.rows(COUNT_HITS, [placementIds]);
  const { part } = reporting(() => h);
  await part(first.publisher.id, ARMS.learned, 400, (n) => 24 + (n % 5));
  await part(first.publisher.id, ARMS.holdout, 21, (n) => 1 + (n % 2) * 0.2);
  await change(h, first.publisher, first.site.id, first.placements[0]?.id ?? "");
  return { platform, ...first, placement: first.placements[0]!, offer, advertiserId: offer.advertiserId };
};
