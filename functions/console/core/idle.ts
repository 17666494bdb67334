/** Sets after how much time without activity a session is over. */
const IDLE_MS = 30 * 60_000;

/** Sets how long before that the user is warned. */
const WARNING_MS = 60_000;

/** Returns the state of a session after so much time without activity. */
export const idleState = (idleMs: number): "active" | "warned" | "over" => {
  if (idleMs >= IDLE_MS) return "over";
  return idleMs >= IDLE_MS - WARNING_MS ? "warned" : "active";
};
