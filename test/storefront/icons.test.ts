import { describe, expect, it } from "vitest";
import { ICON_NAMES } from "../../functions/core/icon-names.ts";
import { renderIcon } from "../../functions/storefront/icons.ts";

describe("renderIcon", () => {
  it.each([...ICON_NAMES])("draws %s by itself, without text, scripts or anything from outside", (name) => {
    const svg = renderIcon(name) ?? "";
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="96" height="96" viewBox="0 0 96 96">.*<\/svg>$/,
    );
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
      /https?:|href|<text|<script|<style|<image|\son\w+=|url\((?!#)/,
    );
    // Every element that is opened is closed, and a path holds nothing but path data.
    expect(svg.match(/<[a-z]/gi)?.length).toBe(svg.match(/\/>|<\//g)?.length);
    for (const [, path] of svg.matchAll(/ d="([^"]*)"/g)) expect(path).toMatch(/^M[MLHVAZCSQTmlhvazcsqt\d .-]+$/);
  });

  it("has the brand and the icons of sample offers", () => {
    expect(ICON_NAMES).toEqual(expect.arrayContaining(["brand", "sample-gift", "sample-star", "sample-tag"]));
  });

  it("draws each differently", () => {
    expect(new Set(ICON_NAMES.map(renderIcon)).size).toBe(ICON_NAMES.length);
    expect(new Set(ICON_NAMES.map((name) => renderIcon(name)?.replaceAll(/#[0-9a-f]{6}/g, ""))).size).toBe(
      ICON_NAMES.length,
    );
  });

  it.each(["", "nothing", "BRAND", "brand.svg", "../brand", "constructor", "__proto__", "toString", "hasOwnProperty"])(
    "knows no icon named %j",
    (name) => {
      expect(renderIcon(name)).toBeNull();
    },
  );
});
