import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { hash32 } from "../../../functions/core/hash.ts";
import { openToken } from "../../../functions/answer/tracking-token.ts";
import { idSuffix } from "../../../db/core/ids.ts";
import { parseKeyRing } from "../../../db/core/secrets/secrets.ts";
import { SECRETS } from "../../support/secrets.ts";
import { trackedOf } from "../../support/ask-offers.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
const digits = (n: number, length: number) => {
  let text = "";
  for (let rest = n; text.length < length; rest = Math.floor(rest / 32)) text = BASE32.charAt(rest % 32) + text;
  return text;
};

/** An offer id of the same 32-bit hash: FNV-1a runs backwards as well as forwards, so both halves can meet. */
const twin = (offerId: string): string => {
  const inverse = 0x359c449b; // of the FNV prime, modulo 2^32
  const forward = new Map<number, string>();
  for (let n = 0; n < 500_000; n++) {
    const head = `ofr_0${digits(n, 20)}`;
    forward.set(hash32(head), head);
  }
  const target = hash32(offerId);
  for (let n = 0; ; n++) {
    const tail = digits(n, 5);
    let hash = target;
    for (let i = tail.length - 1; i >= 0; i--) hash = (Math.imul(hash, inverse) ^ tail.charCodeAt(i)) >>> 0;
    const head = forward.get(hash >>> 0);
    if (head) return head + tail;
  }
};

it("a token cannot be made to name an offer that was never decided on", async () => {
  const { offers } = await askOffers(h, { publicKey: demo.publicKey, placementId: demo.placements.live });
  const [offer] = offers;
  const token = new URL(offer?.clickUrl ?? "").searchParams.get("t") ?? "";
  const forgedId = twin(offer?.bannerId ?? "");
  const forged = token.replace(idSuffix(offer?.bannerId ?? ""), idSuffix(forgedId));
  expect(forged).not.toBe(token);
  expect((await h.fetch(`/vdata?t=${forged}`)).status).toBe(400);
  expect(openToken(parseKeyRing(SECRETS.TRACKING_KEYS), forged)).toBeNull();
});

it("a beacon that carries Sec-GPC stores no session hash", async () => {
  const { offers } = await askOffers(h, {
    publicKey: demo.publicKey,
    placementId: demo.placements.live,
    "at.email": "a@b.cd",
  });
  const { decisionId } = await trackedOf(offers[0]);
  await h.fetch(offers[0]?.beaconUrl ?? "", {
    headers: { "sec-gpc": "1", "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
  });
  const stored = await h.until(
    () => h.rows("select session_hash, email_hash from events where decision_id = $1", [decisionId]),
    (rows) => rows.length > 0,
  );
  expect(stored).toEqual([{ session_hash: null, email_hash: null }]);
});
