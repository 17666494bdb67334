/** Sets the lightness below which a background is dark. */
export const DARK = 110;

/** Sets the lightness above which a text can only be meant for a dark background. Grey is also used on white. */
export const LIGHT = 170;

/**
 * Returns how light a computed colour is, as a grey from 0 to 255, and how opaque, from 0 to 1. It reads `rgb(…)`,
 * `lab(…)`, `lch(…)`, `oklab(…)` and `oklch(…)`; less common notations count as no colour.
 */
export const shadeOf = (colour: string): [lightness: number, opacity: number] => {
  const [first = 0, second = 0, third = 0, opacity = 1] = (colour.match(/[\d.e-]+/g) ?? []).map(Number);
  // Perceived lightness is another scale. A straight line is within 6 of the greys that matter here, 90 to 190.
  if (colour.startsWith("ok")) return [first * 300 - 50, opacity];
  if (colour.startsWith("l")) return [first * 2.5, opacity];
  return [first * 0.299 + second * 0.587 + third * 0.114, colour.startsWith("rgb") ? opacity : 0];
};
