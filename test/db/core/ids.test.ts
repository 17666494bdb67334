import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idSuffix, idTime, isId, makeId, newId, withPrefix, type Entity } from "../../../db/core/ids.ts";
import { makeIdNaively } from "../../support/naive/texts.ts";

const PREFIXES: [Entity, string][] = [
  ["platform", "plat"],
  ["publisher", "pub"],
  ["site", "site"],
  ["placement", "plc"],
  ["advertiser", "adv"],
  ["offer", "ofr"],
  ["token", "tok"],
  ["event", "evt"],
  ["decision", "dec"],
  ["request", "req"],
];
const suffix = "01m7yfxddsesnrhs3551vjgzr1";
const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id's 128 bits as 32 hex digits. */
const uuidOf = (id: string): string => {
  let value = 0n;
  for (const digit of idSuffix(id)) value = value * 32n + BigInt(BASE32.indexOf(digit));
  return value.toString(16).padStart(32, "0");
};

describe("makeId", () => {
  it.each([
    ["01h2xcejqtf2nbrexx3vqjhp41", "0188bac7-4afa-78aa-bc3b-bd1eef28d881"],
    ["01h455vb4pex5vsknk084sn02q", "01890a5d-ac96-774b-bcce-b302099a8057"],
  ])("is %s for the UUID %s", (expected, uuid) => {
    const hex = uuid.replaceAll("-", "");
    const time = Number.parseInt(hex.slice(0, 12), 16);
    expect(makeId("placement", time, Buffer.from(hex, "hex"), 6)).toBe(`plc_${expected}`);
  });

  it("is a UUID of version 7 for any time and any random bits", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 48 - 1 }),
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        (time, random) => {
          const sent = Buffer.from(random).toString("hex");
          const id = makeId("event", time, random);
          expect(isId("event", id)).toBe(true);
          const hex = uuidOf(id);
          expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(time);
          expect(hex[12]).toBe("7");
          expect(hex[16]).toMatch(/[89ab]/);
          expect(hex.slice(13, 16) + hex.slice(17)).toBe(sent.slice(1, 4) + sent.slice(5));
        },
      ),
    );
  });
});

describe("makeId and a plain way", () => {
  it("make the same id of the same time and bytes, wherever the bytes are", () => {
    const [times, bytes] = [fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 })];
    fc.assert(
      fc.property(times, bytes, fc.integer({ min: 0, max: 30 }), (time, random, at) => {
        const pool = new Uint8Array(40);
        pool.set(random, at);
        expect(makeId("offer", time, pool, at)).toBe(makeIdNaively("offer", time, random));
      }),
    );
  });
});

describe("newId", () => {
  it.each(PREFIXES)("of a %s begins with %s_ and is an id of nothing else", (entity, prefix) => {
    const id = newId(entity);
    expect(id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
    expect(PREFIXES.filter(([other]) => isId(other, id)).map(([other]) => other)).toEqual([entity]);
    expect(withPrefix(entity, idSuffix(id))).toBe(id);
  });

  it("is another each time and tells when it was made", () => {
    const before = Date.now();
    const ids = Array.from({ length: 1_000 }, () => newId("event"));
    const after = Date.now();
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(idTime(id)).toBeGreaterThanOrEqual(before);
      expect(idTime(id)).toBeLessThanOrEqual(after);
    }
    const times = ids.map(idTime);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe("idTime", () => {
  it("reads the 48 leading bits", () => {
    expect(idTime(`dec_${"0".repeat(26)}`)).toBe(0);
    expect(idTime(`dec_7${"z".repeat(25)}`)).toBe(2 ** 48 - 1);
    expect(idTime("dec_01h455vb4pex5vsknk084sn02q")).toBe(0x01890a5dac96);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (time) => {
        let digits = "";
        for (let rest = time; digits.length < 10; rest = Math.floor(rest / 32))
          digits = BASE32.charAt(rest % 32) + digits;
        expect(idTime(`evt_${digits}${"0".repeat(16)}`)).toBe(time);
      }),
    );
  });
});

describe("isId", () => {
  it.each([
    ["as it should be", `plc_${suffix}`, true],
    ["of the least value", `plc_${"0".repeat(26)}`, true],
    ["of the greatest value", `plc_7${"z".repeat(25)}`, true],
    ["of more than 128 bits", `plc_8${"0".repeat(25)}`, false],
    ["of another entity", `pub_${suffix}`, false],
    ["without a prefix", suffix, false],
    ["without its underscore", `plc${suffix}`, false],
    ["in upper case", `PLC_${suffix.toUpperCase()}`, false],
    ["in part upper case", `plc_${suffix.toUpperCase()}`, false],
    ["too short", `plc_${suffix.slice(1)}`, false],
    ["too long", `plc_${suffix}0`, false],
    ["with a letter that base32 leaves out", `plc_${suffix.replace("m", "l")}`, false],
    ["with a line break behind", `plc_${suffix}\n`, false],
    ["with a blank before", ` plc_${suffix}`, false],
    ["with NUL", `plc_${suffix.slice(0, 25)}\0`, false],
    ["of nothing but a prefix", "plc_", false],
    ["of nothing", "", false],
    ["of SQL", "plc_' or '1'='1", false],
    ["of another document", `plc_${suffix}:US`, false],
  ])("judges an id %s", (_, id, expected) => {
    expect(isId("placement", id)).toBe(expected);
  });
});
