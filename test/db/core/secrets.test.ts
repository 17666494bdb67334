import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  hashSecret,
  isKey,
  keyBytes,
  makeKey,
  parseKeyRing,
  pixelKeyOf,
  type KeyKind,
} from "../../../db/core/secrets/secrets.ts";

const KINDS: [KeyKind, string][] = [
  ["public", "lan_pk_"],
  ["private", "lan_sk_"],
  ["platform", "lan_plat_"],
  ["conversion", "lan_cs_"],
  ["pixel", "lan_px_"],
];
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const key = makeKey("public", new Uint8Array(32).fill(7));

describe("makeKey", () => {
  it.each(KINDS)("makes a %s key that begins with %s and is of no other kind", (kind, prefix) => {
    const made = makeKey(kind);
    expect(made).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
    expect(KINDS.filter(([other]) => isKey(other, made)).map(([other]) => other)).toEqual([kind]);
    expect(makeKey(kind)).not.toBe(made);
  });

  it("makes different keys of different bytes, the same of the same, and all of one length", () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect(makeKey("public", one)).toBe(makeKey("public", one));
        expect(makeKey("public", one)).toHaveLength(56);
        expect(isKey("public", makeKey("public", one))).toBe(true);
        expect(makeKey("public", one) === makeKey("public", other)).toBe(one.every((byte, at) => byte === other[at]));
      }),
    );
    expect(makeKey("public", new Uint8Array(32))).toMatch(/^lan_pk_0{43}/);
    expect(isKey("public", makeKey("public", new Uint8Array(32).fill(255)))).toBe(true);
  });
});

describe("keyBytes", () => {
  it("returns what a key was made of", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(keyBytes("pixel", makeKey("pixel", bytes))).toBe(Buffer.from(bytes).toString("hex"));
      }),
    );
  });
});

describe("pixelKeyOf", () => {
  it("makes one key of a secret's hash, from which neither can be told", async () => {
    const hash = await hashSecret(makeKey("conversion"));
    const made = await pixelKeyOf(hash);
    expect(isKey("pixel", made)).toBe(true);
    expect(await pixelKeyOf(hash)).toBe(made);
    expect(keyBytes("pixel", made)).toBe(createHash("sha256").update(hash).digest("hex"));
  });
});

describe("isKey", () => {
  it("refuses a key with any one character changed", () => {
    for (let at = 0; at < key.length; at++) {
      for (const character of `${BASE62}_- .\0é`) {
        if (character === key[at]) continue;
        expect(isKey("public", key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
      }
    }
  });

  it("refuses a key with two neighbours exchanged", () => {
    const exchanged = Array.from({ length: key.length - 1 }, (_, at) =>
      [key.slice(0, at), key.charAt(at + 1), key.charAt(at), key.slice(at + 2)].join(""),
    ).filter((text) => text !== key);
    expect(exchanged.length).toBeGreaterThan(40);
    expect(exchanged.filter((text) => isKey("public", text))).toEqual([]);
  });

  it.each(["", "lan_pk_", key.slice(1), key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`, key.toUpperCase()])(
    "refuses %j",
    (text) => {
      expect(isKey("public", text)).toBe(false);
    },
  );
});

describe("hashSecret", () => {
  it("is SHA-256 in hex", async () => {
    for (const text of ["", "secret", "ünïcödé 💐"]) {
      expect(await hashSecret(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }
  });
});

describe("parseKeyRing", () => {
  it.each([
    ["a:x", [{ id: "a", secret: "x" }]],
    [
      "a:x,b:y",
      [
        { id: "a", secret: "x" },
        { id: "b", secret: "y" },
      ],
    ],
    [
      " a:x , b:y ",
      [
        { id: "a", secret: "x" },
        { id: "b", secret: "y" },
      ],
    ],
    ["a:x:y=/+", [{ id: "a", secret: "x:y=/+" }]],
    ["a: x y ", [{ id: "a", secret: " x y" }]],
    ["2026-11_k:x", [{ id: "2026-11_k", secret: "x" }]],
    [`${"k".repeat(16)}:x`, [{ id: "k".repeat(16), secret: "x" }]],
  ])("reads %j", (setting, ring) => {
    expect(parseKeyRing(setting)).toEqual(ring);
  });

  it.each(["", ",", "a", "a:", ":x", "a:x,", ",a:x", "a:x,,b:y", "a.b:x", "a b:x", "ä:x", `${"k".repeat(17)}:x`])(
    "refuses %j",
    (setting) => {
      expect(() => parseKeyRing(setting)).toThrow("write it as id:secret,id:secret");
    },
  );

  it("refuses an id that comes twice, since only the first could be found", () => {
    expect(() => parseKeyRing("a:x,b:y,a:z")).toThrow("two of its keys have the same id");
  });

  it.each(["a", "a:x,topsecret"])("does not repeat the setting %j in its error", (setting) => {
    expect(() => parseKeyRing(setting)).not.toThrow(/topsecret/);
  });
});
