import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, keyOf, missing, said, timestamp, wrapped, type Method } from "../../../support/api.ts";
import { askOffers, requestOffers } from "../../../support/ask-offers.ts";
import { makeInventory } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";

type Key = { key: string; createdAt: string; expiresAt: string | null };

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

/** A publisher with its first key, and ways to call its routes and to try keys. */
const makeCase = async () => {
  const { publisher, placement } = await makeInventory(h.db);
  const { id, privateKey, publicKey } = publisher;
  const ask = (method: Method, path: string, body?: object) =>
    api(h, method, `/api/v1/publishers/${id}${path}`, { token: privateKey, body });
  const offersFor = (key: string) => requestOffers(h, { publicKey: key, placementId: placement.id });
  return { ask, offersFor, publicKey, placement };
};

const key = (given: object = {}) => ({ key: keyOf("lan_pk_"), createdAt: timestamp, expiresAt: null, ...given });

describe("public keys", () => {
  const REFUSED = [401, wrapped("UNAUTHORIZED")];

  it("are issued, listed newest first, and revoked, which the next request feels", async () => {
    const { ask, offersFor, publicKey } = await makeCase();
    const issued = await ask("POST", "/public-keys");
    expect(said(issued)).toEqual([201, { success: true, data: key(), message: "Public key issued successfully" }]);
    const { key: second } = dataOf<Key>(issued);
    const list = async () => dataOf(await ask("GET", "/public-keys"));
    expect(await list()).toEqual([key({ key: second }), key({ key: publicKey })]);
    expect([(await offersFor(publicKey)).status, (await offersFor(second)).status]).toEqual([200, 200]);

    const done = [200, { success: true, message: "Public key revoked successfully" }];
    expect(said(await ask("DELETE", `/public-keys/${publicKey}`))).toEqual(done);
    const refused = await offersFor(publicKey);
    expect([refused.status, await refused.json()]).toEqual(REFUSED);
    expect((await offersFor(second)).status).toBe(200);
    expect(await list()).toEqual([key({ key: second })]);
    expect(said(await ask("DELETE", `/public-keys/${publicKey}`))).toEqual(missing("PublicKey", publicKey));
    expect(said(await ask("DELETE", `/public-keys/${second}`))).toEqual(done);
    expect((await offersFor(second)).status).toBe(401);
  });

  it("are rotated at once, which the next request feels", async () => {
    const { ask, offersFor, publicKey } = await makeCase();
    expect((await offersFor(publicKey)).status).toBe(200);
    const rotated = await ask("POST", `/public-keys/${publicKey}/rotate`, {});
    expect(said(rotated)).toEqual([201, { success: true, data: key(), message: "Public key rotated successfully" }]);
    expect((await offersFor(publicKey)).status).toBe(401);
    expect((await offersFor(dataOf<Key>(rotated).key)).status).toBe(200);
    const again = await ask("POST", `/public-keys/${publicKey}/rotate`, {});
    expect(said(again)).toEqual(missing("PublicKey", publicKey));
  });

  it("are rotated with an overlap that ends without anyone's doing", async () => {
    const { ask, offersFor, publicKey, placement } = await makeCase();
    // What the placement's first answer takes long to build is there before the overlap begins.
    expect((await offersFor(publicKey)).status).toBe(200);
    const { key: next } = dataOf<Key>(await ask("POST", `/public-keys/${publicKey}/rotate`, { overlapSeconds: 8 }));
    expect((await offersFor(publicKey)).status).toBe(200);
    expect((await askOffers(h, { publicKey: next, placementId: placement.id })).ids.length).toBeGreaterThan(0);
    const statuses = async () => (await offersFor(publicKey)).status;
    expect(await h.until(statuses, (status) => status !== 200)).toBe(401);
    expect((await offersFor(next)).status).toBe(200);
  });

  it("are at most twenty, of which one may still be rotated at once", async () => {
    const { ask, publicKey } = await makeCase();
    const issue = () => ask("POST", "/public-keys");
    const issued = await Promise.all(Array.from({ length: 25 }, issue));
    expect(issued.filter(({ status }) => status === 201)).toHaveLength(19);
    const list = async () => dataOf<Key[]>(await ask("GET", "/public-keys"));
    expect(await list()).toHaveLength(20);
    const full = [409, wrapped("CONFLICT")];
    expect(said(await issue())).toEqual(full);
    const rotate = (overlapSeconds: number) => ask("POST", `/public-keys/${publicKey}/rotate`, { overlapSeconds });
    expect(said(await rotate(60))).toEqual(full);
    expect((await list()).map(({ key: name, expiresAt }) => [name, expiresAt])).toContainEqual([publicKey, null]);
    const { key: next } = dataOf<Key>(await rotate(0));
    expect((await ask("DELETE", `/public-keys/${next}`)).status).toBe(200);
    expect((await issue()).status).toBe(201);
    expect(said(await issue())).toEqual(full);
  });
});
