import { describe, expect, it } from "vitest";
import { addressHash, addressRange } from "../../functions/events/address-range.ts";

describe("addressRange", () => {
  it.each([
    ["198.51.100.7", "198.51.100"],
    ["0.0.0.0", "0.0.0"],
    ["::ffff:198.51.100.7", "198.51.100"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1"],
    ["2001:0DB8:0001::", "2001:db8:1"],
    ["2001:db8::1", "2001:db8:0"],
    ["2001::1:2:3:4:5:6", "2001:0:1"],
    ["::1", "0:0:0"],
    ["::", "0:0:0"],
  ])("of %s is %s", (address, range) => {
    expect(addressRange(address)).toBe(range);
  });
});

describe("addressHash", () => {
  const DAY = 86_400_000;
  const now = Date.UTC(2026, 10, 22, 12);
  const hash = (address: string | undefined, offer = "ofr_1", at = now, key = "key") =>
    addressHash(key, address, offer, at);

  it("is one for a range, an offer, a day and a key", () => {
    const one = hash("198.51.100.7");
    expect(one).toMatch(/^[\w-]{22}$/);
    expect(hash("198.51.100.8", "ofr_1", now + DAY / 3)).toBe(one);
    const others = [
      hash("198.51.101.7"),
      hash("198.51.100.7", "ofr_2"),
      hash("198.51.100.7", "ofr_1", now + DAY),
      hash("198.51.100.7", "ofr_1", now, "another key"),
    ];
    expect(new Set([one, ...others]).size).toBe(5);
  });

  it("is null where no address is known", () => {
    expect(hash(undefined)).toBeNull();
  });
});
