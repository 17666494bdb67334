import type { Figures } from "./session.ts";

const TIMEOUT_MS = 10_000;

/** Returns what the service has counted at the demo's placement so far; null when it does not answer. */
export const readReport = async (): Promise<Figures | null> => {
  try {
    const response = await fetch("/demo/figures", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) return null;
    const { data } = (await response.json()) as { data: Figures };
    return data;
  } catch {
    return null;
  }
};
