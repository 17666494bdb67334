import type { Pool } from "pg";
import { categoryList } from "../../../db/inventory/categories.ts";
import { makeKey } from "../../../db/core/secrets/secrets.ts";

/** Describes how much a database holds. All sites are one publisher's, and each has at least one placement. */
export type Size = { placements: number; offers: number; sites: number };

/** Holds the public key of the one publisher. */
export const PUBLIC_KEY = makeKey("public", new Uint8Array(32).fill(7));

const suffix = (number: number): string => String(number).padStart(26, "0");

/** Returns the ids of a filled database, numbered from 1. */
export const ids = {
  publisher: `pub_${suffix(1)}`,
  placement: (number: number): string => `plc_${suffix(number)}`,
  offer: (number: number): string => `ofr_${suffix(number)}`,
};

/** Names a country that few offers are for, so that a search for them meets nearly all others first. */
export const RARE_COUNTRY = "IS";

const suffixOf = (number: string): string => `lpad((${number})::text, 26, '0')`;

const ACCOUNTS = `
  insert into platforms (id, name) values ('plat_' || ${suffixOf("1")}, 'Bench');
  insert into publishers (id, platform_id, name, contact_name, contact_email)
  values ('${ids.publisher}', 'plat_' || ${suffixOf("1")}, 'Bench', 'Bench', 'bench@bench.example');
  insert into public_keys (key, publisher_id) values ('${PUBLIC_KEY}', '${ids.publisher}');
  insert into advertisers (id, name, reach, conversion_secret_hash, conversion_secret_ciphertext, changed_at)
  select 'adv_' || ${suffixOf("i")}, 'Advertiser ' || i, 'NETWORK', 'hash ' || i, 'secret ' || i, now() - interval '1 day'
  from generate_series(1, 10) i`;

const SITES = `
  insert into sites (id, publisher_id, name, status, category_id, age_demographics, gender_demographics)
  select 'site_' || ${suffixOf("i")}, '${ids.publisher}', 'A store of the bench ' || i, 'active', $2, 'AGE_25_34', 'MIXED'
  from generate_series(1, $1) i`;

const PLACEMENTS = `
  insert into placements (id, site_id, name, is_live_mode, data)
  select 'plc_' || ${suffixOf("i")}, 'site_' || ${suffixOf("1 + (i - 1) % $2")}, 'Placement ' || i, true,
    jsonb_build_object('brandName', 'A store of the bench ' || i, 'privacyUrl', 'https://store.example/privacy')
  from generate_series(1, $1) i`;

// Three of four offers are for the US, one of five only for German speakers, one of ten has a cap. Texts have usual lengths.
const OFFERS = `
  insert into offers (id, advertiser_id, name, title, header, description, cta_text, decline_button_text, terms_url,
    icon_url, icon_width, icon_height, destination_url, priority, pricing, bid_micros, ecpm_micros, countries, languages,
    currencies, daily_cap, changed_at)
  select 'ofr_' || ${suffixOf("i")}, 'adv_' || ${suffixOf("1 + i % 10")}, 'Offer ' || i, 'A month of coffee, on us',
    'Thank you for your order! Here is a small extra',
    'Freshly roasted beans, delivered to your door. Your first bag is free; cancel whenever you like. Offer number ' || i,
    'Yes, send me a bag', 'No, thank you', 'https://advertiser.example/terms/' || i, '/icons/coffee.svg', 96, 96,
    'https://advertiser.example/landing/' || i || '?click={click_id}&session={session_id}&placement={placement_id}',
    1 + i % 5, 'CPC', 100000 + i * 997 % 900000, 2000000 + i * 19997 % 9000000,
    case i % 4 when 0 then case when i <= 40 then '{}' else '{US,GB,AU}' end when 1 then '{US,CA,MX}' when 2 then '{US}' else '{DE,AT,CH,FR,ES,IT,NL,SE}' end::text[]
      || case when i % 1000 = 1 then '{IS}' else '{}' end::text[],
    case when i % 5 = 0 then '{de}' else '{}' end::text[], case when i % 7 = 0 then '{USD,CAD}' else '{}' end::text[],
    case when i % 10 = 0 then 1000000 end, now() - interval '1 day'
  from generate_series(1, $1) i`;

/**
 * Fills a migrated database that has categories. All changes are a day old, so that no document waits for their commit.
 */
export const fill = async (pool: Pool, { placements, offers, sites }: Size): Promise<void> => {
  await pool.query(ACCOUNTS);
  await pool.query(SITES, [sites, categoryList[0]?.id]);
  await pool.query(PLACEMENTS, [Math.max(placements, sites), sites]);
  await pool.query(OFFERS, [offers]);
  await pool.query("analyze");
};
