import type { Lanyap, Pagination } from "#client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, online, READING } from "./client.ts";
import { asProblem, type Problem } from "./problem.ts";

/**
 * Holds what was read, what went wrong, and whether it is being read at the moment. Meanwhile, what was read before
 * stays, even if it was for other parameters, which `isOld` tells; if the new ones are refused, it is dropped.
 */
export type Read<Data> = {
  data: Data | null;
  pagination: Pagination | null;
  etag: string | null;
  error: Problem | null;
  isLoading: boolean;
  /** Tells that the data is for other parameters than those that are asked for now. */
  isOld: boolean;
  /** Reads it again. */
  reload: () => void;
  /** Replaces the data at once, before it is read again. */
  put: (data: Data) => void;
};

type Held<Data> = Pick<Read<Data>, "data" | "pagination" | "etag" | "error"> & {
  /** Names the parameters for which this was answered. */
  key: string | null;
};

const NONE = { data: null, pagination: null, etag: null, error: null, key: null };

/** Names the operations of the API. */
export type Operation = keyof Lanyap;

/** Holds the arguments of an operation: the ids of its path, and its parameters. */
export type Given<Name extends Operation> = Parameters<Lanyap[Name]>;

/** Holds what an operation answers. */
export type DataOf<Name extends Operation> =
  Awaited<ReturnType<Lanyap[Name]>> extends { data: infer Data } ? Data : never;

/** Holds a row of what an operation lists. */
export type RowOf<Name extends Operation> = DataOf<Name> extends readonly (infer Row)[] ? Row : never;

type Answered<Data> = { data: Data; etag: string | null; pagination?: Pagination };

/** Calls an operation that reads, once more if the service is busy. Parameters without a value are left out. */
const read = <Name extends Operation>(
  name: Name,
  given: readonly unknown[],
  signal: AbortSignal,
): Promise<Answered<DataOf<Name>>> => {
  const ids = given.filter((one) => typeof one === "string");
  const parameters = Object.entries(given.find((one) => typeof one === "object") ?? {}).filter(
    ([, value]) => value !== "",
  );
  const method = api[name] as unknown as (...all: unknown[]) => Promise<Answered<DataOf<Name>>>;
  return method(...ids, { ...Object.fromEntries(parameters), ...READING, signal });
};

/** Says how many rows the API returns at most at once. */
const MOST_TAKEN = 100;

/** Goes through a list of the API until it has so many rows. */
export const readSome = async <Name extends Operation>(
  name: Name,
  given: object,
  most: number,
): Promise<RowOf<Name>[]> => {
  const list = api[name] as unknown as (given: object) => AsyncIterable<RowOf<Name>>;
  const rows: RowOf<Name>[] = [];
  for await (const row of list({ ...given, take: Math.min(most, MOST_TAKEN) })) {
    if (rows.push(row) >= most) break;
  }
  return rows;
};

/**
 * Reads by a call, again whenever its key changes; nothing while it has none.
 *
 * @param resource names what is read: another one drops what was read of the one before
 */
const useCall = <Data>(
  key: string | null,
  resource: string,
  call: (signal: AbortSignal) => Promise<Answered<Data>>,
): Read<Data> => {
  const [held, setHeld] = useState<Held<Data>>(NONE);
  const [isLoading, setLoading] = useState(key !== null);
  const [turn, setTurn] = useState(0);
  const resourceRef = useRef(resource);

  useEffect(() => {
    if (key === null) return undefined;
    // What is shown of another resource is dropped; another page of the same list stays until the new one is there.
    if (resourceRef.current !== resource) setHeld(NONE);
    resourceRef.current = resource;
    const over = new AbortController();
    setLoading(true);
    call(over.signal)
      .then(({ data, etag, pagination = null }) => setHeld({ data, etag, pagination, error: null, key }))
      .catch((error: unknown) => {
        if (over.signal.aborted) return;
        setHeld((before) => ({ ...(before.key === key ? before : NONE), key, error: asProblem(error) }));
      })
      .finally(() => {
        if (!over.signal.aborted) setLoading(false);
      });
    return () => over.abort();
  }, [key, turn]);

  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const isOffline = held.error?.code === "UNREACHABLE";
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
  const { key: answered, ...found } = held;
  const isOld = answered !== null && answered !== key;
  return { ...found, isLoading: isLoading || (isOld && key !== null), isOld, reload, put };
};

/** Reads by an operation of the API, again whenever its arguments change; nothing while there is no operation. */
export const useRead = <Name extends Operation>(name: Name | null, ...given: Given<Name>): Read<DataOf<Name>> => {
  const key = name === null ? null : JSON.stringify([name, given]);
  const resource = JSON.stringify([name, given.filter((one: unknown) => typeof one === "string")]);
  return useCall(key, resource, (signal) => read(name as Name, given, signal));
};

/** Reads all of a list of the API, which has to be short; nothing while there is none. */
export const useReadAll = <Name extends Operation>(name: Name | null): Read<RowOf<Name>[]> =>
  useCall(name, String(name), async (signal) => ({
    data: await readSome(name as Name, { ...READING, signal }, Number.POSITIVE_INFINITY),
    etag: null,
  }));

/**
 * Reads something again when its version changes. What was read before is shown meanwhile, so that nothing moves that
 * somebody is about to click on.
 */
export const useAnew = (version: string | number | undefined, reload: () => void): void => {
  const last = useRef(version);
  useEffect(() => {
    if (last.current !== version) reload();
    last.current = version;
  }, [version]);
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
