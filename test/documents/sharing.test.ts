import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, CandidatesDocument, Stored } from "../../db/documents/types.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { candidatesDocument } from "../support/documents/documents.ts";
import { shareOffers } from "../../functions/documents/sharing.ts";

const offer = (id: string, title: string): Candidate => ({ ...(SAMPLE_OFFERS[0] as Candidate), id, title });
const stored = (...offers: Candidate[]): Stored => ({ builtAt: 1, value: candidatesDocument(offers) });
const offersOf = (document: Stored) => (document.value as CandidatesDocument).offers;

/** Shares two offers, and returns a function that tells whether they and their list are still in memory. */
const shareAndForget = () => {
  const document = stored(offer("ofr_g1", "A"), offer("ofr_g2", "B"));
  shareOffers(document);
  return [new WeakRef(offersOf(document)), ...offersOf(document).map((each) => new WeakRef(each))];
};

describe("shareOffers", () => {
  it("gives documents that say the same of an offer the same offer, and leaves all else as it is", () => {
    const [one, two] = [stored(offer("ofr_s1", "A"), offer("ofr_s2", "B")), stored(offer("ofr_s2", "B"))];
    const before = structuredClone([one, two]);
    shareOffers(one);
    shareOffers(two);
    expect([one, two]).toEqual(before);
    expect(offersOf(two)[0]).toBe(offersOf(one)[1]);
  });

  it("tells offers apart that differ in anything", () => {
    const [old, fresh] = [stored(offer("ofr_s3", "old")), stored(offer("ofr_s3", "new"))];
    shareOffers(old);
    shareOffers(fresh);
    expect([offersOf(old)[0]?.title, offersOf(fresh)[0]?.title]).toEqual(["old", "new"]);
    const again = stored(offer("ofr_s3", "new"));
    shareOffers(again);
    expect(offersOf(again)[0]).toBe(offersOf(fresh)[0]);
  });

  it("gives documents that have the same offers in the same order the same list", () => {
    const make = (...titles: string[]) => {
      const document = stored(...titles.map((title, i) => offer(`ofr_l${i}`, title)));
      shareOffers(document);
      return offersOf(document);
    };
    const list = make("A", "B", "C");
    expect(make("A", "B", "C")).toBe(list);
    expect(make("A", "B")).toEqual(list.slice(0, 2));
    expect(make("A", "changed", "C").map(({ title }) => title)).toEqual(["A", "changed", "C"]);
    expect(list.map(({ title }) => title)).toEqual(["A", "B", "C"]);
    const back = make("A", "B", "C");
    expect(back).toEqual(list);
    expect(make("A", "B", "C")).toBe(back);
    const reversed = stored(offer("ofr_l2", "C"), offer("ofr_l1", "B"), offer("ofr_l0", "A"));
    shareOffers(reversed);
    expect(offersOf(reversed)).toEqual(list.toReversed());
  });

  it("keeps nothing in memory that no document has any more", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const refs = shareAndForget();
    // What was looked at stays until the turn ends.
    await new Promise(setImmediate);
    collect();
    expect(refs.map((ref) => ref.deref())).toEqual([undefined, undefined, undefined]);
  });

  it("tells about how long a document's JSON is, whatever is shared of it", () => {
    const offers = Array.from({ length: 30 }, (_, i) => offer(`ofr_b${i}`, "x".repeat(i)));
    for (const listed of [[], offers.slice(0, 1), offers, offers]) {
      const document = stored(...structuredClone(listed));
      const { length } = JSON.stringify(document);
      expect(Math.abs(shareOffers(document) - length)).toBeLessThan(30);
    }
    expect(Math.abs(shareOffers({ builtAt: 1, value: null }) - 30)).toBeLessThan(30);
    const wide = stored(offer("ofr_w1", "漢".repeat(1_000)), offer("ofr_w2", "x".repeat(1_000)));
    const [first = "", second = ""] = offersOf(wide).map((each) => JSON.stringify(each));
    expect(Math.abs(shareOffers(wide) - 2 * first.length - second.length - 50)).toBeLessThan(30);
  });

  it("changes nothing that any document says, and gives equal offers as one object", () => {
    const names = fc.integer({ min: 1, max: 6 }).map((number) => `ofr_p${number}`);
    const offers = fc.uniqueArray(fc.tuple(names, fc.constantFrom("A", "B")), { selector: ([id]) => id, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(offers, { maxLength: 8 }), (lists) => {
        const latest = new Map<string, Candidate>();
        for (const list of lists) {
          const document = stored(...list.map(([id, title]) => offer(id, title)));
          const before = structuredClone(document);
          const bytes = shareOffers(document);
          expect(document).toEqual(before);
          expect(Math.abs(bytes - JSON.stringify(before).length)).toBeLessThan(30);
          for (const shown of offersOf(document)) {
            const known = latest.get(shown.id);
            expect(known?.title === shown.title ? known : shown).toBe(shown);
            latest.set(shown.id, shown);
          }
        }
      }),
    );
  });

  it("takes a document without offers", () => {
    const gone: Stored = { builtAt: 1, value: null };
    shareOffers(gone);
    expect(gone).toEqual({ builtAt: 1, value: null });
  });

  it("remembers no more than it has room for, and the latest", () => {
    const first = stored(offer("ofr_first", "A"));
    shareOffers(first);
    shareOffers(stored(...Array.from({ length: 2_000 }, (_, i) => offer(`ofr_fill${i}`, "A"))));
    const again = stored(offer("ofr_first", "A"));
    shareOffers(again);
    expect(offersOf(again)[0]).not.toBe(offersOf(first)[0]);
    expect(offersOf(again)).toEqual(offersOf(first));
  });
});
