import type { ExplainOffersBody, Explanation } from "#client";
import { useEffect, useState } from "preact/hooks";
import { api, READING } from "../../api/client.ts";
import { asProblem, type Problem } from "../../api/problem.ts";

/**
 * Holds what the service would answer, and what it answered to the previous request at the same placement. `key` names
 * the request that was answered, `refused` one that was refused.
 */
type Held = {
  placementId: string;
  key: string;
  now: Explanation | null;
  before: Explanation | null;
  refused: string | null;
  error: Problem | null;
};

const NONE: Held = { placementId: "", key: "", now: null, before: null, refused: null, error: null };

/** Asks how a request would be answered, again whenever it changes; nothing while it is null. */
export const useExplained = (body: Record<string, string> | null) => {
  const [held, setHeld] = useState<Held>(NONE);
  const [isLoading, setLoading] = useState(false);
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify(body);
  useEffect(() => {
    if (!body) {
      setHeld(NONE);
      setLoading(false);
      return undefined;
    }
    const { placementId = "" } = body;
    const over = new AbortController();
    setLoading(true);
    api
      .explainOffers(body as ExplainOffersBody, { ...READING, signal: over.signal })
      .then(({ data }) =>
        setHeld((last) => {
          const isSame = last.placementId === placementId;
          return { placementId, key, now: data, before: isSame ? last.now : null, refused: null, error: null };
        }),
      )
      .catch((error: unknown) => {
        if (!over.signal.aborted) setHeld((last) => ({ ...last, refused: key, error: asProblem(error) }));
      })
      .finally(() => {
        if (!over.signal.aborted) setLoading(false);
      });
    return () => over.abort();
  }, [key, turn]);
  // The answer to another request says nothing about a refused one, or about another placement; it is kept for
  // comparison with the next.
  const isOther = held.placementId !== (body?.["placementId"] ?? "");
  const isRefused = held.refused !== null && held.refused !== held.key;
  const { now, before, error } = isOther || isRefused ? { ...held, now: null } : held;
  const answered = held.key === "" ? null : (JSON.parse(held.key) as Record<string, string> | null);
  return { now, before, error, isLoading, answered, again: () => setTurn((n) => n + 1) };
};
