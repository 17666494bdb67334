import { useEffect, useRef } from "preact/hooks";
import { makeStore } from "../core/store.ts";

const undone = makeStore(0);

/** Notes that something was undone, from whatever page, for all that is shown. */
export const noteUndone = (): void => undone.set(undone.get() + 1);

/** Reads something again when something was undone: the user may have gone to another page meanwhile. */
export const useUndone = (reload: (() => void) | undefined): void => {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => undone.subscribe(() => latest.current?.()), []);
};
