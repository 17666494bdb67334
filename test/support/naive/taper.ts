/** Holds what a taper depends on: what is left of a cap, how much was billed lately, and the present taper. */
export type TaperState = { left: number | null; recent: number | null; before: number };

/** Computes a taper the plain way: how often to halve the share of sessions that see an offer among the first. */
export const naiveTaper = ({ left, recent, before }: TaperState): number => {
  const coming = ((recent ?? 0) - 1) * 2;
  if (left === null || left <= 0 || coming <= 0) return 0;
  const exact = Math.log2(coming / left);
  if (exact > before - 2 && exact <= before) return before;
  return Math.max(0, Math.min(4, Math.ceil(exact)));
};
