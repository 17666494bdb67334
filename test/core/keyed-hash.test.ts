import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emailHash, keyedHash, keyedHashes, sessionHash } from "../../functions/core/keyed-hash.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string, text: string) => createHmac("sha256", key).update(text).digest().subarray(0, 16);

describe("keyedHash", () => {
  it("is the beginning of HMAC-SHA-256 in 22 URL-safe characters", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), fc.string({ unit: "binary" }), (key, text) => {
        const hash = keyedHash(key, text);
        expect(hash).toBe(hmac(key, text).toString("base64url"));
        expect(hash).toMatch(/^[A-Za-z0-9_-]{22}$/);
      }),
    );
  });

  it("has a second half, which is told beside the first", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), fc.string({ unit: "binary" }), (key, text) => {
        const second = createHmac("sha256", key).update(text).digest().subarray(16);
        expect(keyedHashes(key, text)).toEqual([keyedHash(key, text), second.toString("base64url")]);
      }),
    );
  });

  it("takes a text that is not well-formed", () => {
    expect(keyedHash("key", "\ud800")).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});

describe("what is kept of a customer", () => {
  it("is the same for an address and its SHA-256", () => {
    for (const address of ["jo@shop.example", "jo.doe+tag@a.b.example", "ünï@bücher.example"]) {
      expect(emailHash("key", address)).toBe(emailHash("key", sha256(address)));
    }
  });

  it("differs between keys, addresses, sessions, and between a session and an address", () => {
    const hashes = [
      emailHash("key", "jo@shop.example"),
      emailHash("other key", "jo@shop.example"),
      emailHash("key", "jo@shop.example.org"),
      sessionHash("key", "jo@shop.example"),
      sessionHash("key", sha256("jo@shop.example")),
      sessionHash("other key", "jo@shop.example"),
      sessionHash("key", "Jo@shop.example"),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("stays the same from one release to the next", () => {
    expect(sessionHash("key", "s-1")).toBe(hmac("key", "session:s-1").toString("base64url"));
    expect(emailHash("key", "jo@shop.example")).toBe(
      hmac("key", `email:${sha256("jo@shop.example")}`).toString("base64url"),
    );
  });
});
