/** Says after which time without a sign of anybody a session is over. */
const IDLE_MS = 30 * 60_000;

/** Says how long before that its end is told. */
const WARNING_MS = 60_000;

/** Says what becomes of a session for which nothing was done for so long. */
export const idleState = (idleMs: number): "active" | "warned" | "over" => {
  if (idleMs >= IDLE_MS) return "over";
  return idleMs >= IDLE_MS - WARNING_MS ? "warned" : "active";
};
