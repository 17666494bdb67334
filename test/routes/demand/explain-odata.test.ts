import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { categoryList } from "../../../db/inventory/categories.ts";
import { CURRENCIES, PAYMENT_TYPES } from "../../../db/schema/values.ts";
import { api, dataOf } from "../../support/api.ts";
import { askOffers } from "../../support/ask-offers.ts";
import type { Explained } from "../../support/explaining.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeOffers } from "../../support/factories.ts";
import { PAIRS, targetingOf } from "../../support/network/cut.ts";
import { storedDocument } from "../../support/documents/stored.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

const REQUESTS = 1_000;
const AT_ONCE = 8;
/** Names the place whose list of candidates is cut. */
const CUT = 4;
const COUNTRIES = ["US", "DE", "FR", "BR"];
const LANGUAGES = ["en", "deu", "fr-CA", "pt_BR"];
const SOME_CURRENCIES = CURRENCIES.filter((code) => ["USD", "EUR", "BRL"].includes(code));

let h: Harness;
let inventories: Awaited<ReturnType<typeof makeInventory>>[];

/** Some of a list, or none of it, which admits all. */
const targets = <T>(values: readonly T[]) => fc.oneof(fc.constant<T[]>([]), fc.subarray([...values], { minLength: 1 }));

const offer = fc.record({
  priority: fc.integer({ min: 1, max: 3 }),
  ecpmMicros: fc.integer({ min: 0, max: 5_000_000 }),
  countries: targets(COUNTRIES),
  languages: targets(["en", "de", "fr"]),
  paymentTypes: targets(PAYMENT_TYPES.slice(0, 3)),
  categoryIds: targets(categoryList.slice(0, 2).map(({ id }) => id)),
  money: fc.option(
    fc.record({
      currencies: fc.subarray(SOME_CURRENCIES, { minLength: 1 }),
      amountMin: fc.nat(100),
      span: fc.nat(100),
    }),
    { nil: null },
  ),
  starts: fc.constantFrom(null, -3_600_000, 300_000),
  status: fc.constantFrom("active", "active", "active", "paused"),
});

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 3 });
const request = fc.record({
  place: fc.nat(CUT),
  sessionId: fc.string({ minLength: 1, maxLength: 20, unit: "grapheme-ascii" }).filter((text) => text.trim() !== ""),
  count: maybe(fc.integer({ min: 1, max: 25 })),
  "at.country": fc.constantFrom(...COUNTRIES),
  "at.language": maybe(fc.constantFrom(...LANGUAGES)),
  "at.currency": maybe(fc.constantFrom(...SOME_CURRENCIES)),
  "at.amount": maybe(fc.nat(20_000).map((cents) => cents / 100)),
  "at.paymenttype": maybe(fc.constantFrom(...PAYMENT_TYPES)),
});

beforeAll(async () => {
  h = await startHarness();
  inventories = [
    await makeInventory(h.db),
    await makeInventory(h.db, { site: { categoryId: categoryList[0]?.id ?? null } }),
    await makeInventory(h.db, { placement: { isLiveMode: false } }),
    await makeInventory(h.db, { site: { adsEnabled: false } }),
    await makeInventory(h.db),
  ];
  await h.rows("delete from offers");
  const { id } = await makeAdvertiser(h.db);
  const sites = inventories.map(({ site }) => site.id);
  const atCut = sites.slice(CUT);
  await makeOffers(h.db, id, PAIRS.length, (i) => ({ ...targetingOf(i), includeSites: atCut }));
  await Promise.all(
    fc.sample(offer, { numRuns: 60, seed: 4 }).map(({ money, starts, ...columns }) =>
      makeOffer(h.db, id, {
        ...columns,
        includeSites: sites,
        startsAt: starts === null ? null : new Date(Date.now() + starts),
        ...(money && {
          currencies: money.currencies,
          amountMin: money.amountMin,
          amountMax: money.amountMin + money.span,
        }),
      }),
    ),
  );
});
afterAll(() => h.close());

it("explain says of a thousand random requests what the offer endpoint answers", async () => {
  const requests = fc.sample(request, { numRuns: REQUESTS, seed: 2 });
  const reasons = new Set<string | null>();
  const compare = async ({ place, ...asked }: (typeof requests)[number]) => {
    const { publisher, placement } = inventories[place] ?? inventories[0]!;
    const given = Object.entries({ placementId: placement.id, "at.orderid": "1001", ...asked });
    const params = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    const texts = Object.fromEntries(
      given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const ask = async () => {
      const [answered, explained] = await Promise.all([
        askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id, ...texts }),
        api(h, "POST", "/api/v1/offers/explain", { token: SECRETS.ADMIN_TOKEN, body: params }),
      ]);
      const { offers, isTestMode, noFillReason } = dataOf<Explained>(explained);
      return {
        answered,
        offers,
        said: { isTestMode, noFillReason },
        served: offers.filter((verdict) => verdict.served),
      };
    };
    // A narrower list that is not built in time is there for the next answer.
    const { answered, offers, said, served } = await h.until(
      ask,
      (both) => place !== CUT || both.served.map(({ offerId }) => offerId).join() === both.answered.ids.join(),
    );
    for (const { reason } of offers) reasons.add(reason);
    expect({ asked, ...said, ids: served.map(({ offerId }) => offerId) }).toEqual({
      asked,
      isTestMode: answered.isTestMode,
      noFillReason: answered.noFillReason,
      ids: answered.ids,
    });
    expect(served.map(({ rank }) => rank)).toEqual(answered.ids.map((_, i) => i + 1));
    expect(offers.filter((verdict) => verdict.served !== (verdict.reason === null))).toEqual([]);
  };
  for (let i = 0; i < REQUESTS; i += AT_ONCE) await Promise.all(requests.slice(i, i + AT_ONCE).map(compare));
  const met = ["outranked", "country", "category", "language", "currency", "amount", "payment_type", "not_started"];
  expect([...reasons]).toEqual(expect.arrayContaining([...met, "offer_paused", "test_mode", "site_ads_disabled"]));
  const { placement } = inventories[CUT]!;
  for (const country of COUNTRIES) {
    const list = await storedDocument(h, documentKey.candidates(placement.id, country));
    expect(list?.value).toMatchObject({ cut: true });
  }
});
