/** Holds what a taper is judged by: what is left of a cap, how much was billed lately, and what it is now. */
export type TaperState = { left: number | null; recent: number | null; before: number };

/** Judges a taper the plain way: how often the share of an offer's sessions is to be halved. */
export const naiveTaper = ({ left, recent, before }: TaperState): number => {
  const coming = ((recent ?? 0) - 1) * 2;
  if (left === null || left <= 0 || coming <= 0) return 0;
  const exact = Math.log2(coming / left);
  if (exact > before - 2 && exact <= before) return before;
  return Math.max(0, Math.min(4, Math.ceil(exact)));
};
