import { documentKey } from "../../../db/documents/keys.ts";
import { ANY } from "../../../db/documents/candidates/narrowing.ts";
import { CURRENCIES, PAYMENT_TYPES, type PaymentType } from "../../../db/schema/values.ts";
import { makeAdvertiser, makeInventory, makeOffers } from "../factories.ts";
import type { Harness } from "../harness.ts";

/** Counts offers that each ask for something different: more than a broad list of candidates has places for. */
const GATES = 130;

/** Counts offers of the second priority, for French customers, that such a list leaves out. */
const FRENCH = 3;

/** Lists pairs of a currency and a payment type, one for each of those offers. */
export const PAIRS = CURRENCIES.flatMap((currency) =>
  PAYMENT_TYPES.map((paymentType): [string, PaymentType] => [currency, paymentType]),
).slice(0, GATES);

/** Returns the targeting of one of those offers. */
export const targetingOf = (offer: number) => {
  const [currency, paymentType] = PAIRS[offer]!;
  return { currencies: [currency], paymentTypes: [paymentType] };
};

/** Returns the facts of the customers whom one offer of the first priority is for. */
export const factsOf = (offer: number): { "at.currency": string; "at.paymenttype": string } => {
  const [currency = "", paymentType = ""] = PAIRS[offer] ?? [];
  return { "at.currency": currency, "at.paymenttype": paymentType };
};

/** Holds the facts of customers who only suit offers that the broad list leaves out. */
export const FRENCH_FACTS = { "at.language": "fr" };

/**
 * Makes a placement whose list of candidates is cut, in a network without other offers: many that each ask for a
 * different currency and payment type ({@link factsOf}), and behind them `french` for {@link FRENCH_FACTS}.
 */
export const makeCut = async (h: Harness) => {
  await h.rows("update offers set status = 'archived' where status = 'active'");
  const inventory = await makeInventory(h.db);
  const { id } = await makeAdvertiser(h.db);
  const gated = await makeOffers(h.db, id, GATES, targetingOf);
  const french = await makeOffers(h.db, id, FRENCH, () => ({ priority: 2, languages: ["fr"] }));
  const placementId = inventory.placement.id;
  return {
    ...inventory,
    gated: gated.map((offer) => offer.id),
    french: french.map((offer) => offer.id).toSorted(),
    broadKey: documentKey.candidates(placementId, "US"),
    frenchKey: documentKey.narrow(placementId, "US", { language: "fr", currency: ANY, paymentType: ANY, band: ANY }),
  };
};
