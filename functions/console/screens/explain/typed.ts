import { useLocation } from "preact-iso/router";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Holds a request as it is typed: what the address keeps, and the session, which the address does not keep. */
export type Typed = Record<string, string>;

/** Lays what is typed over what is given, until it is cleared or another address is shown. */
export const useTyped = (given: Typed) => {
  const { url, route } = useLocation();
  const [changes, setChanges] = useState<Typed>({});
  const clear = (): void => setChanges({});
  const next = useRef("");
  // This runs before the browser paints: later it would undo what somebody types next.
  useLayoutEffect(() => {
    if (next.current !== url) clear();
    next.current = "";
  }, [url]);
  return {
    typed: { ...given, ...changes },
    set: (name: string, value: string): void => setChanges((now) => ({ ...now, [name]: value })),
    clear,
    /** Replaces the present address, and keeps what is typed. */
    replace: (address: string): void => {
      next.current = address;
      route(address, true);
    },
  };
};
