import type { Pricing } from "../../../db/schema/values.ts";
import { normalQuantile } from "../../../functions/decision/learning/normal.ts";
import { openOffer } from "../core/offers.ts";
import type { OpenOffer, Place } from "../core/policy.ts";
import { chanceOf, randomOf } from "../core/random.ts";
import { logitOf, ofLogit, zipf, type Tastes } from "./tastes.ts";
import { DAY_MS, START, type World } from "./world.ts";

/** Sets how much rates differ: that of one offer also differs by placement and country. */
export const TASTES: Tastes = {
  usual: 0.02,
  offer: 0.4,
  advertiser: 0.2,
  placement: 0.5,
  country: 0.3,
  offerInPlacement: 0.2,
  offerInCountry: 0.2,
};

/** Makes the place of a world of one place a typical one. */
const ONE_PLACE = { placement: 0, country: 0 };

/** Sets how much prices differ, as the standard deviation of their logarithms. */
const PRICES = 0.3;
const PRICE_MICROS = 500_000;
const CONVERSIONS = 0.05;

/** Describes an offer of a world. */
type Planned = { pricing: Pricing; advertiser: number; madeAt: number; endsAt: number };

const never = Number.POSITIVE_INFINITY;

/** Makes offers of planned ones; the price of each is by chance, so that bids say little of rates. */
const offersOf = (planned: readonly Planned[], seed: number, { usual }: Tastes): OpenOffer[] => {
  const random = randomOf(seed, 2);
  return planned.map(({ pricing, advertiser, madeAt }, serial) => {
    const price = PRICE_MICROS * Math.exp(PRICES * random.normal());
    const per: Record<Pricing, number> = { CPC: price, CPM: price * 1_000 * usual, CPA: price / CONVERSIONS };
    const id = `ofr_${seed}_${serial}`;
    return openOffer({
      id,
      serial,
      pricing,
      advertiser,
      madeAt,
      valueMicros: Math.round(per[pricing]),
      guess: pricing === "CPA" ? usual * CONVERSIONS : usual,
    });
  });
};

/** Returns all pairs of placements and countries, and the shares of visits at them. */
const placesOf = (placements: number, countries: number): { places: Place[]; visits: number[] } => {
  const places: Place[] = [];
  const visits: number[] = [];
  const [shares, sums] = [zipf(placements), zipf(countries)];
  for (let p = 0; p < placements; p++) {
    for (let c = 0; c < countries; c++) {
      const share = (shares[p] ?? 1) - (shares[p - 1] ?? 0);
      places.push({ placementId: `plc_${p}`, country: `C${c}` });
      visits.push((shares[p - 1] ?? 0) + share * (sums[c] ?? 1));
    }
  }
  return { places, visits };
};

/** Sets the size of a world, and how much rates differ in it. */
export type Size = { requests: number; batch: number; days: number; tastes?: Tastes };

const tastesOf = ({ tastes = TASTES }: Size): Tastes => tastes;

/** Remembers numbers of offers and places. */
const remembered = (offers: number, places: number, make: (serial: number, place: number) => number) => {
  const known = new Float64Array(offers * places).fill(Number.NaN);
  return (serial: number, place: number): number => {
    const i = serial * places + place;
    let value = known[i] ?? Number.NaN;
    if (Number.isNaN(value)) {
      value = make(serial, place);
      known[i] = value;
    }
    return value;
  };
};

const rated =
  (tastes: Tastes, planned: readonly Planned[], seed: number, countries: number) => (serial: number, place: number) =>
    logitOf(tastes, seed, {
      offer: serial,
      advertiser: planned[serial]?.advertiser ?? 0,
      placement: Math.floor(place / countries),
      country: place % countries,
    });

const base = (size: Size, placements: number, countries: number) => ({
  ...placesOf(placements, countries),
  requests: size.requests,
  batch: size.batch,
  stepMs: (size.days * DAY_MS) / size.requests,
  conversionRate: () => 0,
  delay: () => 0,
  changesMs: Infinity,
  newcomer: null,
});

/** Makes a world where nothing changes: offers of as many advertisers, paid for by the click. */
export const stationary = (offers: number, size: Size, seed: number, placements = 1, countries = 1): World => {
  const planned = Array.from({ length: offers }, (_, i): Planned => ({
    pricing: "CPC",
    advertiser: placements > 1 ? i % Math.ceil(offers / 3) : i,
    madeAt: START - 30 * DAY_MS,
    endsAt: never,
  }));
  const usual = tastesOf(size);
  const open = offersOf(planned, seed, usual);
  const tastes = placements > 1 ? usual : { ...usual, ...ONE_PLACE };
  const logit = rated(tastes, planned, seed, countries);
  return {
    ...base(size, placements, countries),
    open: () => open,
    clickRate: remembered(offers, placements * countries, (serial, place) => ofLogit(logit(serial, place))),
  };
};

/** Sets how much more than the best one a new offer is worth. */
const BETTER = 1.2;

/**
 * Makes a world like {@link stationary} where, after the first half, an offer of a typical price comes that customers
 * like so much that it is worth more than all others.
 */
export const withNewcomer = (offers: number, size: Size, seed: number): World => {
  const world = stationary(offers, size, seed);
  const old = world.open(START);
  const values = old.map(({ candidate }) => candidate.valueMicros * world.clickRate(candidate.serial, 0, START));
  const rate = (BETTER * Math.max(...values)) / PRICE_MICROS;
  const at = START + (size.days * DAY_MS) / 2;
  const newcomer = openOffer({
    id: `ofr_${seed}_${offers}`,
    serial: offers,
    pricing: "CPC",
    advertiser: offers,
    madeAt: at,
    valueMicros: PRICE_MICROS,
    guess: tastesOf(size).usual,
  });
  const all = [...old, newcomer];
  return {
    ...world,
    open: (now) => (now >= at ? all : old),
    clickRate: (serial, place, now) => (serial === offers ? rate : world.clickRate(serial, place, now)),
    newcomer: { serial: offers, at },
  };
};

/** Sets how a drifting world drifts: offers open at once, their life, the days between jumps, and how far these go. */
const OPEN = 30;
const LIFE_DAYS = 30;
const JUMP_DAYS = 30;
const JUMP = 0.4;
/** Sets how far an offer's rate swings within a week, and the delay of conversions: log-normal, half within a day. */
const WEEKLY = 0.2;
const DELAY_SPREAD = 1.2;

/**
 * Makes a world that drifts: offers come and end, rates jump and swing by the week, and a third is paid for by
 * conversions that come late; others by the click or the impression.
 */
export const drifting = (size: Size, seed: number): World => {
  const [placements, countries] = [4, 3];
  const random = randomOf(seed, 3);
  const end = START + size.days * DAY_MS;
  const lasting = () => -Math.log(random.uniform()) * LIFE_DAYS * DAY_MS;
  const planned: Planned[] = [];
  for (let slot = 0; slot < OPEN; slot++) {
    for (let at = START - 30 * DAY_MS, first = true; at < end; first = false) {
      const endsAt = (first ? START : at) + lasting();
      const pricing = (["CPC", "CPA", "CPC", "CPA", "CPC", "CPM"] as const)[slot % 6] ?? "CPC";
      planned.push({ pricing, advertiser: slot, madeAt: at, endsAt });
      at = endsAt;
    }
  }
  const tastes = tastesOf(size);
  const offers = offersOf(planned, seed, tastes);
  const logit = remembered(planned.length, placements * countries, rated(tastes, planned, seed, countries));
  const jumps = planned.map(() => {
    const times: { at: number; by: number }[] = [];
    for (let at = START; at < end;) {
      at += -Math.log(random.uniform()) * JUMP_DAYS * DAY_MS;
      times.push({ at, by: JUMP * random.normal() });
    }
    return times;
  });
  const phases = planned.map(() => random.uniform());
  const convert = planned.map(() =>
    ofLogit(Math.log(CONVERSIONS / (1 - CONVERSIONS)) + TASTES.offer * random.normal()),
  );
  const changes = planned.flatMap(({ madeAt, endsAt }) => [madeAt, endsAt]).sort((a, b) => a - b);
  let known: { list: OpenOffer[]; until: number; from: number } | null = null;
  return {
    ...base(size, placements, countries),
    changesMs: 3_600_000,
    open: (now) => {
      if (known && now >= known.from && now < known.until) return known.list;
      const list = offers.filter((_, i) => now >= (planned[i]?.madeAt ?? 0) && now < (planned[i]?.endsAt ?? 0));
      known = { list, from: now, until: changes.find((at) => at > now) ?? never };
      return list;
    },
    clickRate: (serial, place, now) => {
      const jumped = (jumps[serial] ?? []).reduce((sum, { at, by }) => sum + (now >= at ? by : 0), 0);
      const week = ((now - START) / (7 * DAY_MS) + (phases[serial] ?? 0)) * 2 * Math.PI;
      return ofLogit(logit(serial, place) + jumped + WEEKLY * Math.sin(week));
    },
    conversionRate: (serial) => convert[serial] ?? 0,
    delay: (u) => Math.min(29, Math.exp(DELAY_SPREAD * normalQuantile(u))) * DAY_MS,
  };
};

/** Returns a source of seeds that differ by world. */
export const seedOf = (world: number, seed: number, run: number): number =>
  Math.floor(chanceOf(world * 1_000 + run, seed) * 2 ** 31);
