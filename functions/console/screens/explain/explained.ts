import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { Verdict } from "../../core/explain.ts";

/** Holds what the service would answer, and what it answered to the request before at the same placement. */
export type Explained = { isTestMode: boolean; noFillReason: string | null; offers: Verdict[] };

type Held = { placementId: string; now: Explained | null; before: Explained | null; error: Problem | null };

const NONE: Held = { placementId: "", now: null, before: null, error: null };

/** Asks what a request would be answered, again whenever it changes; nothing while it is null. */
export const useExplained = (body: Record<string, string> | null) => {
  const [held, setHeld] = useState<Held>(NONE);
  const [isLoading, setLoading] = useState(false);
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify(body);
  useEffect(() => {
    if (!body) {
      setHeld(NONE);
      return undefined;
    }
    const { placementId = "" } = body;
    const over = new AbortController();
    setLoading(true);
    call<Explained>("POST", "/api/v1/offers/explain", { body, signal: over.signal })
      .then(({ data }) =>
        setHeld((last) => {
          const isSame = last.placementId === placementId;
          return { placementId, now: data, before: isSame ? last.now : null, error: null };
        }),
      )
      .catch((error: unknown) => {
        if (!over.signal.aborted) setHeld((last) => ({ ...last, error: asProblem(error) }));
      })
      .finally(() => {
        if (!over.signal.aborted) setLoading(false);
      });
    return () => over.abort();
  }, [key, turn]);
  return { ...held, isLoading, again: () => setTurn((n) => n + 1) };
};
