import { createCipheriv, createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decryptSecret, encryptSecret, openMade, openSecret } from "../../../db/core/secrets/sealed.ts";
import { ShownOnceError } from "../../../db/core/writing/writing-errors.ts";

const setting = "k1:one secret";
const ROW = "tok_1";
const NO_KEY = "TOKEN_ENCRYPTION_KEY has no key for this ciphertext";

/** Encrypts as the first version did: for no row. */
const encryptForNoRow = (text: string, keyId: string, secret: string): string => {
  const iv = Buffer.alloc(12, 7);
  const cipher = createCipheriv("aes-256-gcm", createHash("sha256").update(secret).digest(), iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${keyId}.${iv.toString("base64url")}.${sealed.toString("base64url")}`;
};

describe("encryptSecret", () => {
  it("is undone by decryptSecret, whatever the text, and never looks the same twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string(), async (text, row) => {
        const sealed = await encryptSecret(text, row, setting);
        expect(sealed).toMatch(/^v2\.k1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
        expect(await decryptSecret(sealed, row, setting)).toBe(text);
        expect(await encryptSecret(text, row, setting)).not.toBe(sealed);
        await expect(decryptSecret(sealed, `${row}x`, setting)).rejects.toThrow(Error);
      }),
    );
  });

  it("encrypts with the first key and decrypts with whichever it was", async () => {
    const old = await encryptSecret("text", ROW, setting);
    const rotated = `k2:two secret,${setting}`;
    const fresh = await encryptSecret("text", ROW, rotated);
    expect(fresh.startsWith("v2.k2.")).toBe(true);
    expect(await decryptSecret(old, ROW, rotated)).toBe("text");
    expect(await decryptSecret(fresh, ROW, rotated)).toBe("text");
    await expect(decryptSecret(fresh, ROW, setting)).rejects.toThrow(NO_KEY);
    await expect(decryptSecret(old, ROW, "k2:two secret")).rejects.toThrow(NO_KEY);
    await expect(decryptSecret(old, ROW, "k1:another secret")).rejects.toThrow(Error);
  });

  it("is refused when any bit of nonce or ciphertext was changed", async () => {
    const [version, id, ...parts] = (await encryptSecret("a secret text", ROW, setting)).split(".");
    for (const changed of [0, 1]) {
      for (let bit = 0; bit < Buffer.from(parts[changed] ?? "", "base64url").length * 8; bit++) {
        const altered = parts.map((part, at) => {
          const bytes = Buffer.from(part, "base64url");
          if (at === changed) bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
          return bytes.toString("base64url");
        });
        await expect(decryptSecret([version, id, ...altered].join("."), ROW, setting)).rejects.toThrow(Error);
      }
    }
  });

  it("cannot be taken for one of no row", async () => {
    const sealed = await encryptSecret("text", ROW, setting);
    await expect(decryptSecret(sealed.replace("v2.", ""), ROW, setting)).rejects.toThrow(Error);
  });

  it.each([
    "",
    "k1",
    "k1.",
    "k1..",
    "k1.AAAA",
    "k1.AAAA.",
    "k1.!!!!.AAAA",
    "k1.AAAA.AAAA",
    ".AAAA.AAAA",
    "v2.k1.A.A",
    "v3.k1.AAAA.AAAA",
  ])("is not %j", async (sealed) => {
    await expect(decryptSecret(sealed, ROW, setting)).rejects.toThrow(Error);
    expect(await openSecret(ROW, sealed, setting)).toEqual({ id: ROW, secret: null, resealed: null });
  });
});

describe("openSecret", () => {
  const rotated = `k2:two secret,${setting}`;

  it("leaves what the first key encrypted for the row", async () => {
    const sealed = await encryptSecret("text", ROW, setting);
    expect(await openSecret(ROW, sealed, setting)).toEqual({ id: ROW, secret: "text", resealed: null });
  });

  it.each([
    ["another key", () => encryptSecret("text", ROW, setting), rotated],
    ["the previous version", async () => encryptForNoRow("text", "k1", "one secret"), setting],
    ["both", async () => encryptForNoRow("text", "k1", "one secret"), rotated],
    ["the previous version, of a key named as this one,", async () => encryptForNoRow("text", "v2", "a"), "v2:a"],
  ])("reads what %s encrypted, and encrypts it again", async (_, encrypt, ring) => {
    const old = await encrypt();
    const { secret, resealed } = await openSecret(ROW, old, ring);
    expect([secret, resealed?.id, resealed?.old]).toEqual(["text", ROW, old]);
    expect(await openSecret(ROW, resealed?.sealed ?? "", ring)).toEqual({ id: ROW, secret: "text", resealed: null });
  });
});

describe("openMade", () => {
  it("reads a secret as long as its key is there, and then says that it was shown once", async () => {
    const sealed = await encryptSecret("text", ROW, setting);
    expect(await openMade(ROW, sealed, setting)).toBe("text");
    await expect(openMade(ROW, sealed, "k2:two secret")).rejects.toThrow(ShownOnceError);
  });
});
