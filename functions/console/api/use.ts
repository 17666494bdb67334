import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { call, online, type Pagination, type Query } from "./call.ts";
import { asProblem, type Problem } from "./problem.ts";

/** Holds what was read, what went wrong, and whether it is read at the moment. What was read before stays meanwhile. */
export type Read<Data> = {
  data: Data | null;
  pagination: Pagination | null;
  etag: string | null;
  error: Problem | null;
  isLoading: boolean;
  /** Reads it anew. */
  reload: () => void;
  /** Puts something in its place at once, before it is read anew. */
  put: (data: Data) => void;
};

type Held<Data> = Pick<Read<Data>, "data" | "pagination" | "etag" | "error">;

const NONE = { data: null, pagination: null, etag: null, error: null };

/** Reads from the API, again whenever the address changes; nothing while the path is null. */
export const useRead = <Data>(path: string | null, query: Query = {}): Read<Data> => {
  const key = path === null ? null : `${path} ${JSON.stringify(query)}`;
  const [held, setHeld] = useState<Held<Data>>(NONE);
  const [isLoading, setLoading] = useState(path !== null);
  const [turn, setTurn] = useState(0);
  const pathRef = useRef(path);

  useEffect(() => {
    if (path === null) return undefined;
    // Another resource has nothing to do with what is shown; another page of the same list stays until it is there.
    if (pathRef.current !== path) setHeld(NONE);
    pathRef.current = path;
    const over = new AbortController();
    setLoading(true);
    call<Data>("GET", path, { query, signal: over.signal })
      .then(({ data, etag, pagination = null }) => setHeld({ data, etag, pagination, error: null }))
      .catch((error: unknown) => {
        if (!over.signal.aborted) setHeld((before) => ({ ...before, error: asProblem(error) }));
      })
      .finally(() => {
        if (!over.signal.aborted) setLoading(false);
      });
    return () => over.abort();
  }, [key, turn]);

  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const isOffline = held.error?.code === "OFFLINE";
  useEffect(() => {
    if (!isOffline) return undefined;
    const again = () => reload();
    addEventListener("online", again);
    const stop = online.subscribe(() => online.get() && again());
    return () => {
      removeEventListener("online", again);
      stop();
    };
  }, [isOffline, reload]);
  const put = useCallback((data: Data) => setHeld((before) => ({ ...before, data })), []);
  return { ...held, isLoading, reload, put };
};

/** Holds a change that is under way, and what went wrong with it. */
export type Write = {
  isBusy: boolean;
  error: Problem | null;
  clear: () => void;
  /** Runs a change; returns its result, or null when it failed. */
  run: <Result>(work: () => Promise<Result>) => Promise<Result | null>;
};

/** Runs changes one at a time, and keeps what went wrong to be shown. */
export const useWrite = (): Write => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Problem | null>(null);
  const run = useCallback(async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    setBusy(true);
    setError(null);
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof DOMException && thrown.name === "AbortError")) setError(asProblem(thrown));
      return null;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, error, run, clear: useCallback(() => setError(null), []) };
};
