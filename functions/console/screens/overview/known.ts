import type { Overview } from "#client";
import { useCallback, useEffect, useState } from "preact/hooks";
import { readHealth, type Health } from "../../api/health.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useAnew, useRead } from "../../api/use.ts";
import { PUBLISHING_LATE_S } from "../../core/late.ts";

type Part<Value> = { value: Value | null; error: Problem | null; reload: () => void };

/** Reads how many entries a list of the API has. */
const useTotal = (
  name: "listPublisherDirectory" | "listSiteDirectory" | "listRejects",
  query: { status?: "active" | "inactive" | "pending"; adsEnabled?: boolean } = {},
): Part<number> => {
  const { error, pagination, reload } = useRead(name, { ...query, take: 1 });
  return { value: pagination?.total ?? null, error, reload };
};

const NO_HEALTH: Partial<Health> = {};

/** Reads how far publishing and storing are behind, for the administrator. */
const useHealth = (isAdmin: boolean): Part<Partial<Health>> => {
  const [value, setValue] = useState(isAdmin ? null : NO_HEALTH);
  const [error, setError] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!isAdmin) return undefined;
    const over = new AbortController();
    readHealth(over.signal)
      .then((health) => {
        setValue(health);
        return setError(null);
      })
      .catch((thrown: unknown) => over.signal.aborted || setError(asProblem(thrown)));
    return () => over.abort();
  }, [isAdmin, turn]);
  return { value, error, reload: useCallback(() => setTurn((n) => n + 1), []) };
};

/** Holds what may need attention, and which parts could not be read: these count as nothing here. */
export type Known = Record<
  "publishersOff" | "publishersAdsOff" | "inactive" | "pending" | "adsOff" | "rejects",
  number
> & {
  found: Overview;
  /** Counts all sites; null if that could not be read. */
  sites: number | null;
  health: Partial<Health>;
  unread: { error: Problem; retry: () => void } | null;
};

/**
 * Reads all that may need attention; null until all of it is known, so that nothing is inserted later.
 *
 * @param turn changes when it is to be read again
 */
export const useKnown = (found: Overview | null, isAdmin: boolean, turn: number): Known | null => {
  const totals = {
    publishersOff: useTotal("listPublisherDirectory", { status: "inactive" }),
    publishersAdsOff: useTotal("listPublisherDirectory", { adsEnabled: false }),
    inactive: useTotal("listSiteDirectory", { status: "inactive" }),
    pending: useTotal("listSiteDirectory", { status: "pending" }),
    adsOff: useTotal("listSiteDirectory", { adsEnabled: false }),
    rejects: useTotal("listRejects"),
  };
  const sites = useTotal("listSiteDirectory");
  const health = useHealth(isAdmin);
  const parts = [...Object.values(totals), sites, health];
  useAnew(turn, () => parts.forEach(({ reload }) => reload()));
  if (!found || parts.some(({ value, error }) => value === null && !error)) return null;
  const failed = parts.filter(({ error }) => error);
  const error = failed[0]?.error;
  const countOf = (name: keyof typeof totals): number => totals[name].value ?? 0;
  return {
    found,
    sites: sites.value,
    health: health.value ?? NO_HEALTH,
    publishersOff: countOf("publishersOff"),
    publishersAdsOff: countOf("publishersAdsOff"),
    inactive: countOf("inactive"),
    pending: countOf("pending"),
    adsOff: countOf("adsOff"),
    rejects: countOf("rejects"),
    unread: error ? { error, retry: () => failed.forEach(({ reload }) => reload()) } : null,
  };
};

/** Tells whether all is known, and none of it needs attention. */
export const isCalm = ({ found, health, unread, ...known }: Known): boolean =>
  unread === null &&
  [known.publishersOff, known.publishersAdsOff, known.inactive, known.pending, known.adsOff, known.rejects].every(
    (total) => total === 0,
  ) &&
  [found.nearCap, found.ended, found.neverShown, found.clickedLess].every(({ total }) => total === 0) &&
  found.emptyAnswers.length === 0 &&
  (health.outboxAgeSeconds ?? 0) <= PUBLISHING_LATE_S &&
  !health.deadLetters;
