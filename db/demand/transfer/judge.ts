import { CreativesFullError, InvalidFieldError, NotFoundError, Refusal, type FieldProblem } from "../../core/errors.ts";
import { requireSame } from "../../core/writing/same.ts";
import { MOST_CREATIVES } from "../../schema/creatives.ts";
import { refuseStrangers } from "../named-places.ts";
import { COMBINATIONS, idsOf, type OfferInput } from "../offers.ts";
import type { Found, FoundOffer } from "./find.ts";
import type { OfferRow } from "./rows.ts";

/** Limits how many further creatives of an offer are not archived. */
const MOST_AT_ONCE = 3;

type Combined = Partial<Omit<FoundOffer, "id" | "advertiserId" | "creatives">>;

/**
 * Returns the contradictions in an offer that the table's checks would refuse. A statement that writes a thousand rows
 * cannot tell which of them breaks a check.
 */
const contradictions = ({
  startsAt = null,
  endsAt = null,
  amountMin = null,
  amountMax = null,
  currencies = [],
  pricing,
  bidMicros = 0,
  pacing,
  dailyCap = null,
  lifetimeCap = null,
}: Combined): FieldProblem[] => {
  const broken = [
    startsAt !== null && endsAt !== null && startsAt >= endsAt ? "offers_dates_check" : "",
    amountMin !== null && amountMax !== null && amountMin > amountMax ? "offers_amount_check" : "",
    (amountMin ?? amountMax) !== null && currencies.length === 0 ? "offers_amount_currency_check" : "",
    pacing === "EVEN" && dailyCap === null && (lifetimeCap === null || endsAt === null) ? "offers_even_check" : "",
    pricing === "CPM" && bidMicros % 1_000 !== 0 ? "offers_cpm_check" : "",
  ];
  return broken.flatMap((check) => {
    const problem = COMBINATIONS[check];
    return problem ? [problem] : [];
  });
};

/** Returns an offer with a row's change applied to it. */
const over = (offer: Combined, change: Partial<OfferInput> | object): Combined => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...offer, ...Object.fromEntries(given) };
};

/**
 * Makes sure that an offer has room for the creatives of a row, and that the row changes only creatives of this offer.
 */
const checkCreatives = ({ creatives }: OfferRow, offer: FoundOffer | null): void => {
  const statuses = new Map(offer?.creatives.map(({ id, status }) => [id, status]));
  const before = statuses.size;
  for (const [i, creative] of creatives.entries()) {
    const { id } = creative;
    if (id !== null && !statuses.has(id)) throw new NotFoundError("Creative", id);
    const status = id === null ? (creative.input.status ?? "active") : creative.change.status;
    if (status !== undefined) statuses.set(id ?? `new ${i}`, status);
  }
  if (creatives.length > 0 && [...statuses.values()].filter((status) => status !== "archived").length > MOST_AT_ONCE) {
    throw new CreativesFullError("once");
  }
  const added = creatives.filter(({ id }) => id === null).length;
  if (added > 0 && before + added >= MOST_CREATIVES) throw new CreativesFullError("ever");
};

const check = (row: OfferRow, found: Found): void => {
  const offer = row.id === null ? null : found.offers.get(row.id);
  if (offer === undefined) throw new NotFoundError("Offer", row.id ?? "");
  const given = row.id === null ? row.input : row.change;
  if (row.id === null) {
    if (!found.advertisers.has(row.advertiserId)) throw new NotFoundError("Advertiser", row.advertiserId);
  } else if (offer) requireSame("advertiserId", offer.advertiserId, row.change.advertiserId);
  idsOf(given.categories ?? [], found.categories);
  refuseStrangers(found.strangers.get(row.nr) ?? []);
  const problems = contradictions(over(offer ?? {}, given));
  if (problems.length > 0) throw new InvalidFieldError(...problems);
  checkCreatives(row, offer);
};

/** Returns why a row cannot be taken; null for one that can. */
export const refusalOf = (row: OfferRow, found: Found): Refusal | null => {
  try {
    check(row, found);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};
