import type { Fact, Planned } from "../../../functions/decision/forecast/requests.ts";

/** Stands for an offer that is planned: paid by the impression, for everybody. */
export const planned: Planned = {
  languages: [],
  currencies: [],
  amountMin: null,
  amountMax: null,
  paymentTypes: [],
  pricing: "CPM",
  priority: 5,
  bidMicros: 10_000_000,
  valueMicros: 10_000_000,
  ecpmMicros: 10_000_000,
  advertiserSerial: 77,
  dailyCap: null,
  lifetimeCap: null,
};
/** Stands for a request that the offer is for. */
export const fact: Fact = {
  country: "US",
  language: "en",
  currency: "USD",
  amount: 50,
  paymentType: null,
  count: 1,
  fits: true,
};
