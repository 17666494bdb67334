import { beforeAll, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import { isKey } from "../../../db/core/secrets/secrets.ts";
import { offersPath } from "../../support/ask-offers.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The checksum is no secret: anyone can put one behind anything. */
const withChecksum = (body: string) => {
  let crc = 0xffffffff;
  for (let i = 0; i < body.length; i++) {
    crc ^= body.charCodeAt(i) & 0xff;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = BigInt((crc ^ 0xffffffff) >>> 0);
  let text = "";
  for (; text.length < 6; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return body + text;
};

it.each(["\0", ":", " ", "é", "💐".slice(0, 1)])(
  "isKey refuses %j within a key whose checksum is right",
  (character) => {
    expect(isKey("public", withChecksum(`lan_pk_${"a".repeat(42)}${character}`))).toBe(false);
  },
);

it("a NUL in a public key with a right checksum is no 500", async () => {
  const publicKey = withChecksum(`lan_pk_${"a".repeat(42)}\0`);
  const path = offersPath({ placementId: demo.placements.live, sessionId: "s", "at.orderid": "1", publicKey });
  expect((await h.fetch(path)).status).toBe(401);
});
