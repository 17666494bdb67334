import { describe, expect, it } from "vitest";
import {
  fieldText,
  fieldValue,
  laidOver,
  LOOK_GROUPS,
  LOOKS,
  shownText,
  valueAt,
  withValue,
  wrongOf,
} from "../../functions/console/core/looks.ts";
import { ANSWER_DEFAULTS } from "../../functions/core/template.ts";

const pathsOf = (value: unknown, path = ""): string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, below]) => pathsOf(below, path === "" ? name : `${path}.${name}`))
    : [path];

const lookAt = (path: string) => LOOKS.find((look) => look.path.endsWith(path))!;

describe("the form of a placement's looks", () => {
  it("has every member of data, and no others", () => {
    const { adDisplayDelay, templateData } = ANSWER_DEFAULTS;
    expect(LOOKS.map(({ path }) => path).toSorted()).toEqual(pathsOf({ adDisplayDelay, ...templateData }).toSorted());
  });

  it("has its groups in the order of its fields, each once", () => {
    expect(LOOK_GROUPS).toEqual(["Brand", "Texts", "Layout", "Buttons", "Timing"]);
  });

  it.each([
    [{}, "a.b", 1, { a: { b: 1 } }],
    [{ a: { b: 1, c: 2 } }, "a.b", undefined, { a: { c: 2 } }],
    [{ a: { b: 1 }, d: 3 }, "a.b", undefined, { d: 3 }],
    [{ a: 1, d: 3 }, "a", 2, { a: 2, d: 3 }],
    [{ a: { b: { c: 1 }, d: 3 } }, "a.b.c", 2, { a: { b: { c: 2 }, d: 3 } }],
    [{ a: null }, "a.b", 1, { a: { b: 1 } }],
    [{}, "a.b", undefined, {}],
  ])("%j with %s set to %j is %j", (data, path, value, expected) => {
    expect(withValue(data, path, value)).toEqual(expected);
    expect(valueAt(withValue(data, path, value), path)).toEqual(value);
  });

  it.each([
    ["gridColumnsDesktop", " 1fr  2fr ", ["1fr", "2fr"], "1fr 2fr"],
    ["showIcon", "false", false, "false"],
    ["showIcon", "true", true, "true"],
    ["adDisplayDelay", "250", 250, "250"],
    ["titleSize", "large", "large", "large"],
    ["brandName", "  ", undefined, ""],
  ])("%s reads %j as %j, and writes %j", (path, text, value, written) => {
    expect(fieldValue(lookAt(path), text)).toEqual(value);
    expect(fieldText(lookAt(path), value)).toBe(written);
  });

  it.each([
    ["what is typed, with its spaces", ["1fr"], "1fr ", "1fr "],
    ["what was set elsewhere", ["2fr"], "1fr ", "2fr"],
    ["nothing that was taken back", undefined, "1fr", ""],
    ["spaces that mean nothing yet", undefined, " ", " "],
  ])("shows %s", (_, value, typed, shown) => {
    expect(shownText(lookAt("gridColumnsDesktop"), value, typed)).toBe(shown);
  });

  it("shows nothing of what is null, and as JSON what does not belong there", () => {
    expect(fieldText(lookAt("brandName"), null)).toBe("");
    expect(fieldText(lookAt("gridGap"), [1])).toBe("[1]");
    expect(fieldText(lookAt("gridColumnsDesktop"), { a: 1 })).toBe('{"a":1}');
  });

  it("lays members over others, and replaces lists", () => {
    expect(laidOver({ a: { b: 1, c: [1, 2] }, d: 1, f: { g: 1 } }, { a: { c: [3] }, e: 2, f: null })).toEqual({
      a: { b: 1, c: [3] },
      d: 1,
      e: 2,
      f: null,
    });
  });
});

it.each([
  ["gridColumnsDesktop", { "data.templateConfig.layoutConfig.gridColumnsDesktop.1": "wrong" }, "wrong"],
  ["gridColumnsDesktop", { "data.templateConfig.layoutConfig.gridColumnsDesktop": "wrong" }, "wrong"],
  ["gridColumnsDesktop", { "data.templateConfig.layoutConfig.gridColumnsDesktopX": "other" }, undefined],
  ["brandName", { "data.privacyUrl": "other" }, undefined],
])("finds what is wrong with %s in %j", (path, wrong, told) => {
  expect(wrongOf(wrong as Record<string, string>, lookAt(path))).toBe(told);
});
