import { describe, expect, it } from "vitest";
import { DARK, LIGHT, shadeOf } from "../../functions/storefront/browser/embed/view/shade.ts";

describe("shadeOf", () => {
  it.each([
    // Each row is one grey in the notations that browsers compute, and how light it is.
    [0.2, "rgb(22, 22, 22)", "oklch(0.2 0 0)", "lab(7 0 0)", "is dark"],
    [0.5, "rgb(99, 99, 99)", "oklab(0.5 0.0000001 0)", "lch(42 0 0)", "is dark"],
    [0.57, "rgb(119, 119, 119)", "oklch(0.57 0 none)", "lab(50.03 0 0)", "is between"],
    [0.63, "rgb(136, 136, 136)", "oklch(0.63 1.00000e-7 0)", "lch(56.7 0 0)", "is between"],
    [0.68, "rgb(153, 153, 153)", "oklab(0.68 -0.01 -1.00000e-7)", "lab(63.2 -1 1)", "is between"],
    [0.78, "rgb(184, 184, 184)", "oklch(0.78 0.01 260)", "lab(74.8 0 0)", "is light"],
    [1, "rgb(255, 255, 255)", "oklch(1 0 0)", "lab(100 0 0)", "is light"],
  ])("knows what a grey of perceived lightness %d is in every notation", (_, rgb, perceived, lab, what) => {
    const found = [rgb, perceived, lab].map((colour) => {
      const [lightness, opacity] = shadeOf(colour);
      expect(opacity).toBe(1);
      if (lightness < DARK) return "is dark";
      return lightness > LIGHT ? "is light" : "is between";
    });
    expect(found).toEqual([what, what, what]);
  });

  it.each([
    ["rgba(0, 0, 0, 0)", 0],
    ["rgba(17, 17, 17, 0.8)", 0.8],
    ["oklch(0.2 0.02 260 / 0.4)", 0.4],
    ["lab(7 0 0 / 0.25)", 0.25],
    // What it does not read is as good as not there, and is no light text.
    ["color(srgb 1 1 1)", 0],
    ["color(display-p3 0.9 0.9 0.9 / 0.5)", 0],
  ])("tells how opaque %s is", (colour, opacity) => {
    expect(shadeOf(colour)[1]).toBe(opacity);
  });

  it("takes no text for light that it does not read", () => {
    expect(shadeOf("color(srgb 1 1 1)")[0]).toBeLessThan(LIGHT);
  });
});
