import { useEffect, useState } from "preact/hooks";
import { forgetToken, session } from "../api/session.ts";
import { idleState } from "../core/idle.ts";

const LOOK_MS = 15_000;
/** Limits how often activity is looked at: a moving pointer causes a hundred events a second. */
const PAUSE_MS = 1_000;
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll"] as const;

/**
 * Forgets the token of somebody who has done nothing for half an hour, even if the machine slept meanwhile. It warns a
 * minute before; then only `stay` continues the session, since a moving pointer may just be on its way to that button.
 */
export const useIdle = (): { isWarned: boolean; stay: () => void } => {
  const [isWarned, setWarned] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let last = Date.now();
    const look = (): boolean => {
      const isOver = session.get()?.isOver ?? true;
      const state = isOver ? "active" : idleState(Date.now() - last);
      setWarned(state === "warned");
      if (state === "over") forgetToken();
      return state === "active";
    };
    const note = (): void => {
      if (Date.now() - last >= PAUSE_MS && look()) last = Date.now();
    };
    const timer = setInterval(look, LOOK_MS);
    SIGNS.forEach((sign) => addEventListener(sign, note, { passive: true, capture: true }));
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      SIGNS.forEach((sign) => removeEventListener(sign, note, { capture: true }));
      document.removeEventListener("visibilitychange", look);
    };
  }, [turn]);
  return {
    isWarned,
    stay: () => {
      setWarned(false);
      setTurn((n) => n + 1);
    },
  };
};
