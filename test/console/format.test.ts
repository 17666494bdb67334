import { dayParameter } from "../../functions/core/days.ts";
import { describe, expect, it } from "vitest";
import {
  ago,
  change,
  count,
  day,
  dollars,
  moment,
  percent,
  plural,
  price,
  ratio,
  short,
  signedPercent,
  utc,
  words,
} from "../../functions/console/core/format.ts";

const locale = "en";
const AT = "2026-11-22T09:30:00.000Z";

describe("the console's formats", () => {
  it.each([
    [count(1234567, { locale }), "1,234,567"],
    [count(null), "–"],
    [count(undefined), "–"],
    [count(0, { locale }), "0"],
    [short(9999, { locale }), "9,999"],
    [short(12345, { locale }), "12.3K"],
    [short(4_560_000, { locale }), "4.56M"],
    [short(10_000, { locale }), "10K"],
    [short(1234.6, { locale }), "1,235"],
    [short(undefined), "–"],
    [short(null), "–"],
    [dollars(1234.5, { locale }), "$1,234.50"],
    [dollars(0.0042, { locale }), "$0.0042"],
    [dollars(0.00006, { locale }), "$0.0001"],
    [dollars(0.1234, { locale }), "$0.12"],
    [dollars(null), "–"],
    [dollars(undefined), "–"],
    [price(0.125, { locale }), "$0.125"],
    [price(0.00003, { locale }), "$0.00003"],
    [price(0.000001, { locale }), "$0.000001"],
    [price(0.0000006, { locale }), "$0.000001"],
    [price(12, { locale }), "$12.00"],
    [plural(1, "site"), "1 site"],
    [plural(0, "site"), "0 sites"],
    [dollars(0, { locale }), "$0.00"],
    [dollars(0.1, { locale }), "$0.10"],
    [dollars(-3.456, { locale }), "-$3.46"],
    [dollars(12.3, { locale: "de" }), "12,30 $"],
    [percent(0.4213, { locale }), "42.1%"],
    [percent(0.00123, { locale }), "0.12%"],
    [percent(0, { locale }), "0%"],
    [percent(0.01234, { locale }), "1.2%"],
    [percent(Number.NaN), "–"],
    [percent(null), "–"],
    [percent(undefined), "–"],
    [signedPercent(0.125, { locale }), "+13%"],
    [signedPercent(-0.0341, { locale }), "-3.4%"],
    [signedPercent(0.0004, { locale }), "0%"],
    [signedPercent(-0.0004, { locale }), "0%"],
    [signedPercent(0.0006, { locale }), "+0.1%"],
    [signedPercent(null), "–"],
    [moment(AT, { locale, timeZone: "Europe/Berlin" }).replace("\u202f", " "), "Nov 22, 2026, 10:30 AM"],
    [moment(null), "–"],
    [utc(AT), "2026-11-22 09:30 UTC"],
    [utc(null), ""],
    [day("2026-11-22", { locale }), "Sun, Nov 22"],
    [ago(AT, Date.parse(AT) + 3_000, { locale }), "3 seconds ago"],
    [ago(AT, Date.parse(AT) + 3 * 86_400_000, { locale }), "3 days ago"],
    [ago(AT, Date.parse(AT) - 2 * 3_600_000, { locale }), "in 2 hours"],
    [ago(AT, Date.parse(AT) - 3_600, { locale }), "in 4 seconds"],
    [ago(AT, Date.parse(AT), { locale }), "now"],
    [ago(AT, Date.parse(AT) + 59_400, { locale }), "59 seconds ago"],
    [ago(AT, Date.parse(AT) + 59_600, { locale }), "1 minute ago"],
    [ago(AT, Date.parse(AT) + 59.4 * 60_000, { locale }), "59 minutes ago"],
    [ago(AT, Date.parse(AT) + 59.6 * 60_000, { locale }), "1 hour ago"],
    [ago(AT, Date.parse(AT) - 23.6 * 3_600_000, { locale }), "in 1 day"],
    [ago("2026-11-24T23:30:00Z", Date.parse("2026-11-26T10:00:00Z"), { locale }), "1 day ago"],
    [ago("2026-11-27T23:30:00Z", Date.parse("2026-11-26T10:00:00Z"), { locale }), "in 2 days"],
    [ago("2024-10-01T00:00:00Z", Date.parse("2026-01-15T00:00:00Z"), { locale }), "1 year ago"],
    [ago("2025-03-01T00:00:00Z", Date.parse("2026-12-31T00:00:00Z"), { locale }), "2 years ago"],
    [ago("2026-10-05T00:00:00Z", Date.parse("2026-11-26T00:00:00Z"), { locale }), "2 months ago"],
    [dayParameter(Date.parse(AT)), "20261122"],
    [dayParameter(Date.parse(AT), 30), "20261023"],
    [words("no_eligible_offer"), "No eligible offer"],
    [words("THANK_YOU_PAGE"), "Thank you page"],
    [words("adsEnabled"), "Ads enabled"],
  ])("%s is %s", (formatted, expected) => {
    expect(formatted.replaceAll("\u00a0", " ")).toBe(expected);
  });

  it.each([
    [59_000, "59 seconds ago"],
    [60_000, "1 minute ago"],
    [59 * 60_000, "59 minutes ago"],
    [3_600_000, "1 hour ago"],
    [23 * 3_600_000, "23 hours ago"],
    [86_400_000, "1 day ago"],
    [29 * 86_400_000, "29 days ago"],
    [30 * 86_400_000, "1 month ago"],
    [330 * 86_400_000, "11 months ago"],
    [365 * 86_400_000, "1 year ago"],
  ])("%d ms are told in the greatest unit that they have one of: %s", (ms, told) => {
    expect(ago(AT, Date.parse(AT) + ms, { locale })).toBe(told);
  });

  it.each([
    [ratio(1, 4), 0.25],
    [ratio(1, 0), null],
    [ratio(null, 3), null],
    [ratio(undefined, 3), null],
    [change(15, 10), 0.5],
    [change(0, 10), -1],
    [change(5, 0), null],
  ])("%s is the share %s", (found, expected) => {
    expect(found).toBe(expected);
  });
});
