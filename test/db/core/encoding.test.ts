import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64Url, toBase64Url, toHex, xorBase64Url } from "../../../db/core/encoding.ts";
import { toBase64UrlNaively, toHexNaively } from "../../support/naive/texts.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("toHex", () => {
  it.each([
    ["", ""],
    ["\0\n~", "000a7e"],
  ])("of %j", (text, hex) => {
    expect(toHex(bytes(text))).toBe(hex);
  });

  it("agrees with a plain way on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (any) => {
        expect(toHex(any)).toBe(toHexNaively(any));
      }),
    );
  });
});

describe("toBase64Url", () => {
  // RFC 4648, section 10, without padding.
  it.each([
    ["", ""],
    ["f", "Zg"],
    ["fo", "Zm8"],
    ["foo", "Zm9v"],
    ["foob", "Zm9vYg"],
    ["fooba", "Zm9vYmE"],
    ["foobar", "Zm9vYmFy"],
  ])("of %j", (text, encoded) => {
    expect(toBase64Url(bytes(text))).toBe(encoded);
  });

  it("agrees with a plain way on any bytes, and can be undone", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (any) => {
        expect(toBase64Url(any)).toBe(toBase64UrlNaively(any));
        expect(fromBase64Url(toBase64Url(any))).toEqual(any);
      }),
    );
  });
});

describe("xorBase64Url", () => {
  it("is that of the bytes, and undoes itself", () => {
    const pair = fc.nat(40).chain((length) => {
      const some = fc.uint8Array({ minLength: length, maxLength: length });
      return fc.tuple(some, some);
    });
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [one, other] = [toBase64UrlNaively(a), toBase64UrlNaively(b)];
        const both = toBase64UrlNaively(a.map((byte, i) => byte ^ (b[i] ?? 0)));
        expect(xorBase64Url(one, other)).toBe(both);
        expect(xorBase64Url(both, other)).toBe(one);
      }),
    );
  });
});

describe("fromBase64Url", () => {
  it.each(["a", "Zm9v!", "Zm9\u00e4"])("refuses %j", (text) => {
    expect(() => fromBase64Url(text)).toThrow(DOMException);
  });
});
