import { dayParameter } from "../../core/days.ts";

/**
 * Says how many days ago the days in examples are. Reports reach back 180 days, so no fixed day would work for long.
 */
const DAYS_AGO: Readonly<Record<string, number>> = { dateStart: 21, dateEnd: 0 };

/**
 * Puts recent days into the examples of a description's parameters.
 *
 * @param description the description's JSON
 * @param now milliseconds since 1970
 * @returns the JSON with examples that the service takes today
 */
export const withRecentDays = (description: string, now: number): string =>
  JSON.stringify(JSON.parse(description), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("in" in value && "name" in value)) return value;
    const daysAgo = DAYS_AGO[String(value.name)];
    return daysAgo === undefined ? value : { ...value, example: dayParameter(now, daysAgo) };
  });
