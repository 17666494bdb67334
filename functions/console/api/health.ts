import { online } from "./call.ts";
import { problem } from "./problem.ts";

/** Holds how the service is (functions/routes/API.md, "Health"). What comes from a part that failed is null. */
export type Health = {
  status: "ok" | "failed";
  checks?: Record<string, "ok" | "failed">;
  outboxAgeSeconds?: number | null;
  deadLetters?: number | null;
  cronLastRunAt?: string | null;
  settings?: string[];
};

/**
 * Asks how the service is. Its answer is the same when something fails, with another status.
 *
 * @throws {Problem} where the service cannot be reached, or answers something else
 */
export const readHealth = async (signal: AbortSignal): Promise<Health> => {
  const response = await fetch("/health?deep=1", { signal, credentials: "omit" }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    online.set(false);
    throw problem("OFFLINE", "The service cannot be reached. Check your connection.");
  });
  const found = (await response.json().catch(() => null)) as Health | null;
  if (found?.status === "ok" || found?.status === "failed") return found;
  const requestId = response.headers.get("x-request-id");
  throw problem(`HTTP_${response.status}`, "The service did not tell how it is", {
    status: response.status,
    requestId,
  });
};
