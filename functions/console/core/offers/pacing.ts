import type { PlannedCap } from "#client";
import { count } from "../format.ts";

const DAY_MS = 86_400_000;

/** Holds what was planned and what was used at the same times, null at times when only the other is known. */
export type Course = { times: string[]; planned: (number | null)[]; used: (number | null)[] };

const bounded = (time: number, { from, until }: PlannedCap): number =>
  Math.max(Date.parse(from), Math.min(time, until === null ? Infinity : Date.parse(until)));

/** Lists how much of a cap was used by what time: for a daily cap only now, for a lifetime cap day by day. */
const usedBy = (cap: PlannedCap, now: number): [number, number][] => {
  const last = bounded(now, cap);
  if (!cap.days) return [[last, cap.used]];
  let sum = cap.used - cap.days.reduce((total, { used }) => total + used, 0);
  const steps: [number, number][] = [[bounded(0, cap), sum]];
  for (const { day, used } of cap.days) {
    const begins = Date.parse(day);
    steps.push([Math.min(bounded(begins, cap), last), sum], [Math.min(begins + DAY_MS, last), (sum += used)]);
  }
  return [...steps, [last, cap.used]];
};

/** Puts the planned and the actual use of a cap on the same times. */
export const courseOf = (cap: PlannedCap, now: number): Course => {
  const planned = new Map(cap.points.map((point) => [Date.parse(point.at), point.planned]));
  if (cap.planned !== null) planned.set(bounded(now, cap), cap.planned);
  const used = new Map(usedBy(cap, now));
  const times = [...new Set([...planned.keys(), ...used.keys()])].toSorted((a, b) => a - b);
  return {
    times: times.map((time) => new Date(time).toISOString()),
    planned: times.map((time) => planned.get(time) ?? null),
    used: times.map((time) => used.get(time) ?? null),
  };
};

const were = (n: number): string => (n === 1 ? "was" : "were");

/** Says in words how the use of a cap compares with its plan. */
export const sentenceOf = (cap: PlannedCap, now: number): string => {
  if (cap.planned === null) return `${count(cap.used)} of ${count(cap.limit)} used.`;
  if (now < Date.parse(cap.from)) return `It has not begun: none of the ${count(cap.limit)} should be used yet.`;
  const when = cap.until !== null && now >= Date.parse(cap.until) ? "By its end" : "By now";
  const planned = Math.round(cap.planned);
  return `${when} ${count(planned)} of ${count(cap.limit)} should have been used; ${count(cap.used)} ${were(cap.used)}.`;
};
