/** Sets below which lightness a background is dark. */
export const DARK = 110;

/** Sets above which lightness a text can only be meant for a dark background. Grey is read on white, too. */
export const LIGHT = 170;

/**
 * Tells how light a computed colour is, as a grey from 0 to 255, and how opaque, from 0 to 1. It reads `rgb(…)`, `lab(…)`,
 * `lch(…)`, `oklab(…)` and `oklch(…)`; less common notations count as nothing.
 */
export const shadeOf = (colour: string): [lightness: number, opacity: number] => {
  const [first = 0, second = 0, third = 0, opacity = 1] = (colour.match(/[\d.e-]+/g) ?? []).map(Number);
  // Perceived lightness is another scale. Straight lines come within 6 of the greys that matter here, 90 to 190.
  if (colour.startsWith("ok")) return [first * 300 - 50, opacity];
  if (colour.startsWith("l")) return [first * 2.5, opacity];
  return [first * 0.299 + second * 0.587 + third * 0.114, colour.startsWith("rgb") ? opacity : 0];
};
