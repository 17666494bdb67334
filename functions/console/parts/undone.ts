import { useEffect, useRef } from "preact/hooks";
import { makeStore } from "../core/store.ts";

const undone = makeStore(0);

/** Tells all that is shown that something was undone, from wherever that was. */
export const noteUndone = (): void => undone.set(undone.get() + 1);

/** Reads something anew when something was undone: who undoes it may have gone to another page meanwhile. */
export const useUndone = (reload: (() => void) | undefined): void => {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => undone.subscribe(() => latest.current?.()), []);
};
