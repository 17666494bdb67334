import { useEffect } from "preact/hooks";
import { signOut } from "../api/session.ts";

const IDLE_MS = 30 * 60_000;
const LOOK_MS = 15_000;
const SIGNS = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Signs out whoever has done nothing for half an hour, also when the machine slept meanwhile. */
export const useIdle = (): void => {
  useEffect(() => {
    let last = Date.now();
    const look = () => {
      if (Date.now() - last >= IDLE_MS) signOut("You were signed out, because nothing happened for 30 minutes.");
    };
    const note = () => {
      look();
      last = Date.now();
    };
    const timer = setInterval(look, LOOK_MS);
    SIGNS.forEach((sign) => addEventListener(sign, note, { passive: true, capture: true }));
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      SIGNS.forEach((sign) => removeEventListener(sign, note, { capture: true }));
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
};
