import type pg from "pg";
import { PUBLISHERS, SITES, type Network } from "./random-network.ts";
import type { Place } from "./place.ts";

const id = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(26, "0")}`;

const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, i) => i + first);

const CATEGORIES = 4;
const PLATFORMS = 2;

/** Maps each publisher to its platform, and each site to its publisher: publisher 2 is of platform 2, the others of platform 1. */
const platformOf = (publisher: number): number => (publisher === 2 ? 2 : 1);
const publisherOf = (site: number): number => site % PUBLISHERS;

/** Lists the places that requests come from: sites of different publishers, with and without facts of their own. */
export const PLACES: readonly Place[] = Array.from({ length: SITES }, (_, site) => ({
  site,
  publisher: publisherOf(site),
  platform: platformOf(publisherOf(site)),
  country: site === 3 ? "DE" : "US",
  category: site % 2 === 0 ? site % CATEGORIES : null,
  age: site < 3 ? "AGE_25_34" : null,
}));

/** Returns the id of the placement at a place. */
export const placementAt = (place: Place): string => id("plc", place.site);

/** Makes the accounts and placements where every network is shown. Publisher 1 ranks offers by its own part. */
export const storePlaces = async (pool: pg.Pool): Promise<void> => {
  for (const n of numbers(PLATFORMS, 1)) {
    await pool.query("insert into platforms (id, name) values ($1, $1)", [id("plat", n)]);
  }
  for (const n of numbers(CATEGORIES)) {
    await pool.query("insert into categories (id, name, path, taxonomy_id) values ($1, $1, $1, $1)", [id("cat", n)]);
  }
  for (const n of numbers(PUBLISHERS)) {
    await pool.query(
      "insert into publishers (id, platform_id, name, contact_name, contact_email, rank_by) values ($1, $2, $1, 'A', 'a@b.example', $3)",
      [id("pub", n), id("plat", platformOf(n)), n === 1 ? "REVENUE" : "GROSS"],
    );
  }
  for (const place of PLACES) {
    await pool.query(
      `insert into sites (id, publisher_id, name, status, category_id, age_demographics) values ($1, $2, $1, 'active', $3, $4)`,
      [
        id("site", place.site),
        id("pub", place.publisher),
        place.category === null ? null : id("cat", place.category),
        place.age,
      ],
    );
    await pool.query("insert into placements (id, site_id, name, is_live_mode) values ($1, $2, $1, true)", [
      placementAt(place),
      id("site", place.site),
    ]);
  }
};

/** Lists the publisher shares that offers get in turn. */
const SHARES = [0, 5_000, 10_000, 7_000];

const named = (prefix: string, ofThem: readonly number[]) => ofThem.map((number) => id(prefix, number));

/**
 * Replaces the stored network. Offers get the serials 1 and up in the order of the network.
 *
 * @returns the database's time that the network's times count from, in milliseconds
 */
export const storeNetwork = async (pool: pg.Pool, { advertisers, offers }: Network): Promise<number> => {
  const { rows } = await pool.query<{ now: string }>("select floor(extract(epoch from now()) * 1000)::text as now");
  const now = Number(rows[0]?.now);
  const at = (offset: number | null) => (offset === null ? null : new Date(now + offset).toISOString());
  const today = new Date(now).toISOString().slice(0, 10);
  await pool.query("truncate offers, advertisers, deleted_offers restart identity cascade");
  await pool.query(
    `insert into advertisers (id, platform_id, name, reach, status, conversion_secret_hash, conversion_secret_ciphertext)
     select r.id, r.platform_id, r.id, r.reach, r.status, r.id, '' from jsonb_populate_recordset(null::advertisers, $1) r`,
    [
      JSON.stringify(
        advertisers.map(({ platform, reach, status }, i) => ({
          id: id("adv", i),
          platform_id: platform === 0 ? null : id("plat", platform),
          reach,
          status,
        })),
      ),
    ],
  );
  const rowsOf = offers.map((offer, i) => ({
    id: offer.id,
    publisher_share_bps: SHARES[i % SHARES.length],
    advertiser_id: id("adv", offer.advertiser),
    status: offer.status,
    priority: offer.priority,
    ecpm_micros: offer.ecpmMicros,
    starts_at: at(offer.startsIn),
    ends_at: at(offer.endsIn),
    capped_through: offer.capped === "no" ? null : offer.capped === "today" ? today : "infinity",
    countries: offer.countries,
    category_ids: named("cat", offer.categories),
    age_demographics: offer.ageDemographics,
    include_sites: named("site", offer.includeSites),
    include_publishers: named("pub", offer.includePublishers),
    exclude_sites: named("site", offer.excludeSites),
    exclude_publishers: named("pub", offer.excludePublishers),
    languages: offer.languages,
    currencies: offer.currencies,
    amount_min: offer.amountMin,
    amount_max: offer.amountMax,
    payment_types: offer.paymentTypes,
    pacing: offer.paced ? "EVEN" : "ASAP",
    daily_cap: offer.paced ? 1_000 : null,
  }));
  const columns = Object.keys(rowsOf[0] ?? {});
  if (columns.length > 0) {
    await pool.query(
      `insert into offers (name, title, header, description, cta_text, decline_button_text, destination_url, pricing,
         bid_micros, ${columns.join()})
       select '', '', '', '', '', '', 'https://advertiser.example/', 'CPC', 1, ${columns.map((name) => `r.${name}`).join()}
       from jsonb_populate_recordset(null::offers, $1) r order by r.id`,
      [JSON.stringify(rowsOf)],
    );
  }
  await pool.query("analyze offers, advertisers, offer_ranks, offer_exclusions, targeting_values");
  return now;
};
