import type { StoredConversion } from "../../../../db/tracking/conversions/rows.ts";
import type { ConversionSum } from "../../../../db/tracking/conversions/list.ts";
import { clickId } from "../../../answer/destination.ts";
import { ApiError } from "../../../http/errors.ts";
import { MICROS } from "../../../../db/core/money.ts";

const units = (micros: number | null): number | null => (micros === null ? null : micros / MICROS);

/**
 * Returns a transaction in the form of answers: `gross` is what is owed for it in USD, `amount` what was paid in its
 * currency.
 */
export const conversionData = (conversion: StoredConversion) => ({
  transactionId: conversion.transactionId,
  clickId: clickId(conversion),
  offerId: conversion.offerId,
  state: conversion.state,
  reportedAt: conversion.reportedAt,
  amount: units(conversion.amountMicros),
  currency: conversion.currency,
  gross: units(conversion.grossMicros),
  reversedAt: conversion.reversedAt,
  reason: conversion.reason,
});

/** Returns a sum of conversions in the form of answers. */
export const sumData = ({ state, currency, conversions, amountMicros, grossMicros }: ConversionSum) => ({
  state,
  currency,
  conversions,
  amount: units(amountMicros),
  gross: units(grossMicros),
});

/** Makes the refusal of a transaction that its advertiser never reported. */
export const unknownTransaction = (transactionId: string) =>
  new ApiError("NOT_FOUND", "No conversion was reported with this transaction id", { details: { transactionId } });
