import { addDays } from "../../functions/console/core/reports/period.ts";

/** Lists the days from one to another, both included, as `YYYY-MM-DD`. */
export const daysFrom = (first: string, last: string): string[] => {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
};
