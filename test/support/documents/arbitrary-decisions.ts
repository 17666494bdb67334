import fc from "fast-check";
import type { Candidate } from "../../../db/documents/types.ts";
import { PAYMENT_TYPES, PRICINGS } from "../../../db/schema/values.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { SAMPLE_OFFERS } from "../../../functions/decision/samples.ts";
import { networkDocument } from "./documents.ts";

/** Holds the time around which the dates of {@link offersOf} and the requests of {@link requestOf} lie. */
export const NOW = Date.UTC(2026, 10, 20, 12);

/** Holds an offer that asks nothing of requests. */
export const OPEN_OFFER: Candidate = {
  ...(SAMPLE_OFFERS[0] as Candidate),
  id: "ofr_1",
  priority: 5,
  ecpmMicros: 1_000_000,
};

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ arbitrary: fc.constant(otherwise), weight: 3 }, { arbitrary, weight: 1 });
const moments = fc.integer({ min: NOW - 2, max: NOW + 2 });

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 60 }).map((number) => `ofr_${number}`),
    priority: fc.integer({ min: 1, max: 4 }),
    pricing: fc.constantFrom(...PRICINGS),
    valueMicros: fc.integer({ min: 0, max: 2 ** 40 }),
    isNew: rarely(fc.constant(true), false),
    ecpmMicros: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 40 })),
    startsAt: rarely<number | null>(moments, null),
    endsAt: rarely<number | null>(moments, null),
    languages: rarely(some(["en", "de", "fr"]), []),
    currencies: rarely(some(["USD", "EUR"]), []),
    amountMin: rarely<number | null>(fc.integer({ min: 0, max: 100 }), null),
    amountMax: rarely<number | null>(fc.integer({ min: 0, max: 100 }), null),
    paymentTypes: rarely(some(PAYMENT_TYPES), []),
    serial: fc.integer({ min: 0, max: 59 }),
    changedAt: fc.integer({ min: 0, max: 4 }),
    advertiserSerial: fc.integer({ min: 0, max: 4 }),
    advertiserChangedAt: fc.integer({ min: 0, max: 4 }),
  }),
  { selector: (offer) => offer.id, maxLength: 50 },
);
/** Makes lists of candidates with few values each, so that requests often suit them and often do not. */
export const offersOf = candidates.map((rows) => rows.map((row): Candidate => ({ ...OPEN_OFFER, ...row })));

const groupsOf = (serials: number) =>
  fc
    .dictionary(fc.integer({ min: 0, max: 4 }).map(String), fc.subarray(Array.from({ length: serials }, (_, i) => i)))
    .map((groups) => Object.entries(groups).map(([after, changed]) => [Number(after)].concat(changed)));
/** Makes groups of some serials by their step, each with the gaps between them. */
const pacedOf = (serials: number) =>
  groupsOf(serials).map((groups) =>
    groups.map(([step = 0, ...paced]) => [step * 3 + 1].concat(paced.map((serial, i) => serial - (paced[i - 1] ?? 0)))),
  );
/** Makes networks that list changes of some of {@link offersOf}. */
export const networkOf = fc
  .record({
    offers: groupsOf(60),
    advertisers: groupsOf(5),
    tapered: fc.option(groupsOf(60), { nil: [] }),
    paced: fc.option(pacedOf(60), { nil: [] }),
  })
  .map((changes) => networkDocument({ since: 0, ...changes }));

/** Makes requests whose facts are values that {@link offersOf} ask for, or are left out. */
export const requestOf: fc.Arbitrary<DecisionRequest> = fc.record(
  {
    count: fc.integer({ min: 1, max: 20 }),
    session: fc.string({ minLength: 1 }),
    arm: fc.constantFrom("0" as const, "0" as const, "1" as const, "2" as const),
    now: moments,
    seen: fc.subarray(Array.from({ length: 60 }, (_, i) => `ofr_${i + 1}`)),
    language: fc.constantFrom("en", "de", "xx"),
    currency: fc.constantFrom("USD", "EUR", "JPY"),
    amount: fc.integer({ min: 0, max: 110 }),
    paymentType: fc.constantFrom(...PAYMENT_TYPES),
  },
  { requiredKeys: ["count", "session", "arm", "now"] },
);
