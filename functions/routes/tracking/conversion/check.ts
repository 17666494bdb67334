import { idTime } from "../../../../db/core/ids.ts";
import type { Reference, Reported } from "../../../../db/tracking/conversions/find.ts";
import { CLICK_DAYS, CLICK_WAIT_DAYS } from "../../../../db/tracking/click-days.ts";
import type { StoredConversion } from "../../../../db/tracking/conversions/rows.ts";
import { clickId } from "../../../answer/destination.ts";
import { isExpired } from "../../../answer/tracking-token.ts";
import { DAY_MS } from "../../../../db/core/time.ts";
import { ApiError } from "../../../http/errors.ts";
import type { Reporter } from "./credential.ts";

/** Allows for a difference between two machines' clocks, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;

type Report = Reference & Pick<StoredConversion, "amountMicros" | "currency">;

/**
 * Tells whether a click of a decision may still be on its way: the decision is not from the future, nor so old that its
 * click must have expired or been lost.
 */
const mayCome = (decisionId: string, now: number): boolean => {
  const issuedAt = idTime(decisionId);
  return issuedAt <= now + CLOCK_SLACK_MS && !isExpired("click", issuedAt, now - CLICK_WAIT_DAYS * DAY_MS);
};

const checkClick = (advertiserId: string, { click, ownerId }: Reported, report: Report, now: number): void => {
  const owner = click?.advertiserId ?? ownerId;
  if (owner === null || (!click && owner === advertiserId && !mayCome(report.decisionId, now))) {
    throw new ApiError("NOT_FOUND", "No click has this id", { details: { clickId: clickId(report) } });
  }
  if (owner !== advertiserId) throw new ApiError("FORBIDDEN", "This click belongs to another advertiser");
};

/** Lists the fields in which a report differs from an earlier one. */
const changesOf = (known: StoredConversion, report: Report): string[] => [
  ...(clickId(known) === clickId(report) ? [] : ["clickId"]),
  ...(known.amountMicros === report.amountMicros ? [] : ["amount"]),
  ...(known.currency === report.currency ? [] : ["currency"]),
];

/**
 * Refuses an advertiser's report that contradicts what is stored.
 *
 * @throws {ApiError} 404 for a click that cannot exist, 403 for another advertiser's, 409 for a known transaction with
 *   other values, 410 for a click that is too old
 */
export const checkReport = (
  { advertiserId, hasPixelKey }: Reporter,
  found: Reported,
  report: Report,
  now: number,
): void => {
  const { click, known } = found;
  if (!known || clickId(known) !== clickId(report)) checkClick(advertiserId, found, report, now);
  if (known) {
    const changed = changesOf(known, report);
    if (changed.length > 0) {
      const { transactionId } = report;
      // Otherwise, somebody with a pixel key could guess amounts, and be told when one is right.
      if (hasPixelKey) {
        throw new ApiError("CONFLICT", "This transaction was reported with other values; use a new id", {
          details: { transactionId, changed: [] },
        });
      }
      throw new ApiError(
        "CONFLICT",
        `This transaction was reported with another ${changed.join(" and ")}; use a new id`,
        { details: { transactionId, changed } },
      );
    }
  } else if (click && now - click.clickedAt > CLICK_DAYS * DAY_MS) {
    throw new ApiError("CLICK_EXPIRED", `A conversion counts for ${CLICK_DAYS} days after its click`);
  }
};
