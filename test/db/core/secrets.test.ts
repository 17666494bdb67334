import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
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

/** Returns a text followed by the checksum of a key, which anybody can compute. */
const withChecksum = (text: string): string => {
  const crc = crc32(text);
  const digits = Array.from({ length: 6 }, (_, i) => BASE62.charAt(Math.floor(crc / 62 ** (5 - i)) % 62));
  return text + digits.join("");
};

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

  it("makes keys of 32 random bytes that end in their CRC-32 in base62, so that those of today stay valid", () => {
    const made = Array.from({ length: 20 }, () => makeKey("private"));
    expect(made.map((text) => withChecksum(text.slice(0, -6)))).toEqual(made);
    expect(made.some((text) => !keyBytes("private", text).startsWith("00"))).toBe(true);
    expect(key).toBe("lan_pk_1fJjkkpe9PiTw9KSulA8Ghct30vZz4HpdQ5c5b9cPF101IFJs");
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

  it.each([
    ["as many letters and digits", "a".repeat(43), true],
    ["fewer", "a".repeat(42), false],
    ["more", "a".repeat(44), false],
    ["a mark first", `_${"a".repeat(42)}`, false],
    ["a mark last", `${"a".repeat(42)}-`, false],
    ["a letter of another script", `${"a".repeat(42)}é`, false],
    ["a line break", `${"a".repeat(42)}\n`, false],
  ])("asks for more than a right checksum: %s", (_, body, expected) => {
    expect(isKey("public", withChecksum(`lan_pk_${body}`))).toBe(expected);
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

  it.each([
    "",
    ",",
    "a",
    "a:",
    ":x",
    "a:x\ny",
    "a:x,",
    ",a:x",
    "a:x,,b:y",
    "a.b:x",
    "a b:x",
    "ä:x",
    `${"k".repeat(17)}:x`,
  ])("refuses %j", (setting) => {
    expect(() => parseKeyRing(setting)).toThrow("write it as id:secret,id:secret");
  });

  it("refuses an id that comes twice, since only the first could be found", () => {
    expect(() => parseKeyRing("a:x,b:y,a:z")).toThrow("two of its keys have the same id");
  });

  it.each(["a", "a:x,topsecret"])("does not repeat the setting %j in its error", (setting) => {
    expect(() => parseKeyRing(setting)).not.toThrow(/topsecret/);
  });
});
