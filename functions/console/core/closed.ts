import type { Site, Targeting } from "#client";

// The compiler holds each of these against the API: a value that it adds or renames is a missing or unknown member.

/** Maps the values of a closed set to what people call them, in the order in which they are shown. */
export type Names<Value extends string = string> = Readonly<Record<Value, string>>;

/** Names the ways to pay. */
export const PAYMENT_TYPES: Names<Targeting["paymentTypes"][number]> = {
  creditCard: "Credit card",
  debitCard: "Debit card",
  paypal: "PayPal",
  applePay: "Apple Pay",
  googlePay: "Google Pay",
  bankTransfer: "Bank transfer",
  crypto: "Cryptocurrency",
  other: "Other",
};

/** Names the ages of a shop's customers. */
export const AGES: Names<NonNullable<Site["ageDemographics"]>> = {
  AGE_18_24: "18–24",
  AGE_25_34: "25–34",
  AGE_35_44: "35–44",
  AGE_45_54: "45–54",
  AGE_55_64: "55–64",
  AGE_65_PLUS: "65+",
};

/** Names the genders of a shop's customers. */
export const GENDERS: Names<NonNullable<Site["genderDemographics"]>> = {
  MALE: "Male",
  FEMALE: "Female",
  MIXED: "Mixed",
};

/** Lists all values of a set in their order, then those that are chosen and that this console does not know. */
export const valuesIn = (names: Names, chosen: readonly string[]): string[] => [
  ...new Set([...Object.keys(names), ...chosen]),
];

/** Returns the name of a value; one that this console does not know is shown as it is. */
export const nameIn = (names: Names, value: string): string =>
  Object.hasOwn(names, value) ? (names[value] ?? value) : value;
