import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idSuffix, idTime, newId, withPrefix } from "../../db/core/ids.ts";
import {
  openToken,
  sealDecision,
  tokenOf,
  type SealedDecision,
  type ShownOffer,
} from "../../functions/answer/tracking-token.ts";
import { SEALED_DECISION as decision } from "../support/tracking/decision.ts";

const ring = [{ id: "t1", secret: "one secret" }];
const offers = [
  { id: "ofr_01m7yg6bwmfzxr09ym9c6dq9qv", revision: 7 },
  { id: "ofr_01m7yg6bwmfzxr09ywewke2fas", revision: 1 },
] as const;
const seal = (keys = ring, sealed = decision) => tokenOf(sealDecision(keys, sealed, offers), offers[0]);

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
const BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const text = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split("")), { minLength: length, maxLength: length })
    .map((digits) => digits.join(""));
const suffix = fc.tuple(text("01234567", 1), text(BASE32, 25)).map(([first, rest]) => first + rest);
const hash = fc.option(text(BASE64URL, 22));
const decisions: fc.Arbitrary<SealedDecision> = fc.record({
  decisionId: suffix.map((value) => withPrefix("decision", value)),
  placementId: suffix.map((value) => withPrefix("placement", value)),
  country: text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2),
  isTest: fc.boolean(),
  arm: text(BASE62, 1),
  sessionHash: hash,
  emailHash: hash,
});
const shownOffers: fc.Arbitrary<ShownOffer[]> = fc.uniqueArray(
  fc.record({
    id: suffix.map((value) => withPrefix("offer", value)),
    revision: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    creative: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 })),
  }),
  { selector: (offer) => offer.id, minLength: 1, maxLength: 20 },
);
const rings = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 16 }).chain((length) => text(BASE64URL, length)),
    secret: fc.string({ minLength: 1, maxLength: 80 }),
  }),
  { selector: (key) => key.id, minLength: 1, maxLength: 3 },
);

const bytesOf = (encoded: string) => [...Buffer.from(encoded, "base64url")];

describe("a tracking token", () => {
  it("opens to what was sealed, for every decision and each of its offers, with characters that need no encoding", () => {
    fc.assert(
      fc.property(rings, decisions, shownOffers, (keys, sealed, listed) => {
        const sealing = sealDecision(keys, sealed, listed);
        for (const [place, offer] of listed.entries()) {
          const token = tokenOf(sealing, offer);
          expect(token).toMatch(/^[A-Za-z0-9._-]+$/);
          expect(new URLSearchParams({ t: token }).toString()).toBe(`t=${token}`);
          expect(openToken(keys, token)).toEqual({
            ...sealed,
            offerId: offer.id,
            revision: offer.revision,
            creative: offer.creative,
            place,
            issuedAt: idTime(sealed.decisionId),
          });
        }
      }),
      { seed: 1 },
    );
  });

  it("tells when its decision was made", () => {
    const before = Date.now();
    const token = seal(ring, { ...decision, decisionId: newId("decision") });
    const opened = openToken(ring, token);
    expect(opened?.issuedAt).toBeGreaterThanOrEqual(before);
    expect(opened?.issuedAt).toBeLessThanOrEqual(Date.now());
  });

  it("is refused when any bit of any character is flipped", () => {
    const token = seal();
    for (let at = 0; at < token.length; at++) {
      for (let bit = 0; bit < 16; bit++) {
        const flipped = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
        expect(openToken(ring, token.slice(0, at) + flipped + token.slice(at + 1))).toBeNull();
      }
    }
  });

  it("is refused when a character is left out, put in or exchanged for another", () => {
    const token = seal();
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.nat(2),
        fc.constantFrom(...BASE64URL.split(""), ".", "%", " ", "\n", "\0"),
        (at, removed, inserted) => {
          const altered = token.slice(0, at) + (removed === 2 ? "" : inserted) + token.slice(at + (removed ? 1 : 0));
          fc.pre(altered !== token);
          expect(openToken(ring, altered)).toBeNull();
        },
      ),
      { seed: 2, numRuns: 2_000 },
    );
  });

  it.each([
    "",
    ".",
    "t1",
    "1t1.L0US",
    "3t1.L0US",
    "null",
    "..........",
    "a".repeat(10_000),
    "1t1.".repeat(5_000),
    "💐",
    "\0",
    "\ud800",
  ])("is not %j", (token) => {
    expect(openToken(ring, token)).toBeNull();
  });

  it("is refused with anything around it", () => {
    const token = seal();
    for (const altered of [
      `${token}\n`,
      ` ${token}`,
      `${token}.`,
      `${token}=`,
      token.toUpperCase(),
      `${token}${token}`,
    ]) {
      expect(openToken(ring, altered)).toBeNull();
    }
  });

  it("opens in the form of before too, in which hashes stand as they are", () => {
    const [key = { id: "", secret: "" }] = ring;
    const hmac = (what: string) => createHmac("sha256", key.secret).update(what).digest().subarray(0, 16);
    const [{ id, revision }] = offers;
    const tag = hmac(`offer:${idSuffix(id)}:${revision}`)
      .toString("base64url")
      .slice(0, 8);
    const ids = idSuffix(decision.decisionId) + idSuffix(decision.placementId);
    const head = `1${key.id}.L0US${ids}.${decision.sessionHash}.${decision.emailHash}.${tag}`;
    const token = `${head}.${hmac(head).toString("base64url")}.${idSuffix(id)}${revision}`;
    expect(openToken(ring, token)).toMatchObject({ ...decision, offerId: id, revision, place: 0 });
    expect(openToken(ring, token.replace(/^1/, "2"))).toBeNull();
  });

  it("shows of a customer nothing that another token of the same customer shows, neither of one hash nor of both", () => {
    const shown = Array.from({ length: 50 }, () => {
      const token = seal(ring, { ...decision, decisionId: newId("decision") });
      const [session = "", email = ""] = token.split(".").slice(2, 4);
      const [one, other] = [bytesOf(session), bytesOf(email)];
      return [session, email, one.map((byte, i) => byte ^ (other[i] ?? 0)).join(" ")];
    });
    const [session, email] = [bytesOf(decision.sessionHash ?? ""), bytesOf(decision.emailHash ?? "")];
    const both = session.map((byte, i) => byte ^ (email[i] ?? 0)).join(" ");
    const all = [decision.sessionHash, decision.emailHash, both, ...shown.flat()];
    expect(new Set(all).size).toBe(all.length);
  });

  it("names only an offer of its decision", () => {
    const sealing = sealDecision(ring, decision, offers);
    expect(openToken(ring, tokenOf(sealing, offers[1]))).toMatchObject({
      offerId: offers[1].id,
      revision: 1,
      place: 1,
    });
    const others = Array.from({ length: 200 }, () => ({ id: newId("offer"), revision: 7 }));
    for (const other of others) expect(openToken(ring, tokenOf(sealing, other))).toBeNull();
    // Shares its FNV-1a hash with the first offer: what identifies an offer must not be forgeable by such collisions.
    expect(openToken(ring, tokenOf(sealing, { id: "ofr_01m7yg6bwmfzxr090vekp000yj", revision: 7 }))).toBeNull();
  });

  it("names an offer only as it was shown", () => {
    const sealing = sealDecision(ring, decision, offers);
    for (const revision of [1, 2, 6, 8, 77, 2 ** 31 - 1]) {
      expect(openToken(ring, tokenOf(sealing, { ...offers[0], revision }))).toBeNull();
    }
    // The key remembers one revision of each offer; tokens of others open all the same.
    const later = sealDecision(ring, decision, [{ ...offers[0], revision: 8 }]);
    expect(openToken(ring, tokenOf(later, { ...offers[0], revision: 8 }))).toMatchObject({ revision: 8 });
    expect(openToken(ring, tokenOf(sealing, offers[0]))).toMatchObject({ revision: 7, place: 0 });
    expect(openToken(ring, tokenOf(later, offers[0]))).toBeNull();
  });

  it("does not take parts of another token", () => {
    const other = { ...decision, country: "DE", isTest: true, arm: "x", sessionHash: null, emailHash: null };
    const strangeOffer = { id: newId("offer"), revision: 3 };
    const parts = seal().split(".");
    const strange = tokenOf(sealDecision(ring, other, [strangeOffer]), strangeOffer).split(".");
    const mixed = strange
      .map((part, at) => parts.with(at, part).join("."))
      .filter((token) => token !== parts.join("."));
    expect(mixed.length).toBeGreaterThan(5);
    for (const token of mixed) expect(openToken(ring, token)).toBeNull();
  });

  it("is refused by a ring that does not hold its key", () => {
    const token = seal();
    expect(openToken([{ id: "t1", secret: "another secret" }], token)).toBeNull();
    expect(openToken([{ id: "t2", secret: "one secret" }], token)).toBeNull();
    expect(openToken([], token)).toBeNull();
  });

  it("outlives a change of the signing key for as long as the ring holds the old one", () => {
    const [old] = ring;
    const fresh = { id: "t2", secret: "two secret" };
    const rotated = old ? [fresh, old] : [];
    const before = seal();
    const after = seal(rotated);
    expect(after.startsWith("2t2.")).toBe(true);
    expect(openToken(rotated, before)).toMatchObject(decision);
    expect(openToken(rotated, after)).toMatchObject(decision);
    expect(openToken([fresh], before)).toBeNull();
    expect(openToken([fresh], after)).toMatchObject(decision);
    expect(openToken(ring, after)).toBeNull();
  });

  it("is not made without a key", () => {
    expect(() => sealDecision([], decision, offers)).toThrow("no key signs tracking URLs");
  });
});
