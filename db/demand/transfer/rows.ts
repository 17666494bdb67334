import type { Refusal } from "../../core/errors.ts";
import type { CreativeInput } from "../creatives.ts";
import type { OfferChange, OfferInput } from "../offers.ts";

/** Holds a creative of a row: a change of the one with the id, or, without an id, a new one. */
export type CreativeRow = { id: string; change: Partial<CreativeInput> } | { id: null; input: CreativeInput };

/**
 * Holds a row of an import, numbered from 1: a new offer of an advertiser, or a change of the one with the id.
 * Creatives that it does not name stay as they are.
 */
export type OfferRow = { nr: number; creatives: readonly CreativeRow[] } & (
  | { id: null; advertiserId: string; input: OfferInput }
  | { id: string; change: OfferChange }
);

/** Tells what became of a row: the id of its offer, or why it was refused. */
export type RowResult =
  | { nr: number; status: "created" | "updated"; id: string }
  | { nr: number; refusal: Pick<Refusal, "code" | "message" | "details"> };
