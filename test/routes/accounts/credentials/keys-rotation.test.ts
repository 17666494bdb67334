import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { makeInventory } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const OLD = "old:the-old-secret-that-encrypts-private-tokens";
const NEW = "new:the-new-secret-that-encrypts-private-tokens";
const NEXT_ADMIN = "the-next-token-of-the-administrator";
const NEXT_SESSION = "the-next-key-of-hashes-of-sessions";

/** Holds the secrets before a rotation, through its steps, and after it, as OPERATIONS.md has them. */
const STEPS = [
  { TOKEN_ENCRYPTION_KEY: OLD },
  { TOKEN_ENCRYPTION_KEY: `${OLD},${NEW}` },
  { TOKEN_ENCRYPTION_KEY: `${NEW},${OLD}`, ADMIN_TOKEN: NEXT_ADMIN, SESSION_KEY: NEXT_SESSION },
  { TOKEN_ENCRYPTION_KEY: NEW, ADMIN_TOKEN: NEXT_ADMIN, SESSION_KEY: NEXT_SESSION },
];

const services: Harness[] = [];
const at = (step: number): Harness => services[step] as Harness;
let platform: { id: string; token: string };

beforeAll(async () => {
  for (const secrets of STEPS) {
    const postgresUrl = services[0]?.postgresUrl;
    services.push(await startHarness({ secrets, ...(postgresUrl && { postgresUrl }) }));
  }
  const body = { name: `Platform ${randomBytes(6).toString("hex")}` };
  platform = dataOf(await api(at(0), "POST", "/api/v1/platforms", { token: SECRETS.ADMIN_TOKEN, body }));
});
afterAll(() => Promise.all(services.map((service) => service.close())));

type Created = { id: string; privateKeys: { id: string; bearer: string }[] };

/** Makes a publisher at a step. */
const publisherAt = async (step: number) => {
  const name = `Publisher ${randomBytes(6).toString("hex")}`;
  const body = { name, contactName: "A", contactEmail: "a@shop.example" };
  const made = await api(at(step), "POST", "/api/v1/publishers", { token: platform.token, body });
  const { id, privateKeys } = dataOf<Created>(made);
  return { id, tokenId: privateKeys[0]?.id ?? "", bearer: privateKeys[0]?.bearer ?? "" };
};
type Publisher = Awaited<ReturnType<typeof publisherAt>>;

/** Lists the only token of a publisher at a step, by that token. */
const listedAt = async (step: number, { id, bearer }: Publisher): Promise<string | null | undefined> => {
  const answer = await api(at(step), "GET", `/api/v1/publishers/${id}/api-tokens`, { token: bearer });
  expect(answer.status).toBe(200);
  return dataOf<{ bearer: string | null }[]>(answer)[0]?.bearer;
};
const sealedOf = async ({ tokenId }: Publisher): Promise<string> => {
  const rows = await at(0).rows<{ sealed: string }>(
    "select bearer_ciphertext as sealed from api_tokens where id = $1",
    [tokenId],
  );
  return rows[0]?.sealed ?? "";
};
const untilSealedWith = (key: string, publisher: Publisher) =>
  at(0).until(
    async () => sealedOf(publisher),
    (sealed) => sealed.startsWith(`v2.${key}.`),
  );
const lostLines = (step: number, id: string) =>
  at(step)
    .logs()
    .filter((line) => line.includes(`cannot read the secrets of ${id}`)).length;

describe("rotating TOKEN_ENCRYPTION_KEY", () => {
  it("keeps every token at work, and shows it for as long as one of its keys is known", async () => {
    const early = await publisherAt(0);
    expect([await listedAt(0, early), await listedAt(1, early)]).toEqual([early.bearer, early.bearer]);
    // Nobody has asked for this one under the new key: it works, but is no longer shown.
    expect(await listedAt(3, early)).toBeNull();
    await at(3).until(
      async () => lostLines(3, early.tokenId),
      (lines) => lines === 1,
    );
    const late = await publisherAt(2);
    // A step that still encrypts with the old key takes it back to that, behind its answer.
    expect(await listedAt(1, late)).toBe(late.bearer);
    await untilSealedWith("old", late);
    expect(await listedAt(2, late)).toBe(late.bearer);
    await untilSealedWith("new", late);
    expect([await listedAt(3, late), await listedAt(0, late)]).toEqual([late.bearer, null]);
  });

  it("encrypts again what is shown, behind the answer", async () => {
    const publisher = await publisherAt(0);
    expect(await sealedOf(publisher)).toMatch(/^v2\.old\./);
    expect(await listedAt(2, publisher)).toBe(publisher.bearer);
    await untilSealedWith("new", publisher);
    expect(await listedAt(3, publisher)).toBe(publisher.bearer);
  });

  it("does so for conversion secrets", async () => {
    const body = { name: `Advertiser ${randomBytes(6).toString("hex")}` };
    const made = await api(at(0), "POST", "/api/v1/advertisers", { token: platform.token, body });
    const { id, conversionSecret } = dataOf<{ id: string; conversionSecret: string }>(made);
    const shownAt = async (step: number) => {
      const answer = await api(at(step), "GET", `/api/v1/advertisers/${id}`, { token: platform.token });
      expect(answer.status).toBe(200);
      return dataOf<{ conversionSecret: string | null }>(answer).conversionSecret;
    };
    expect([await shownAt(3), await shownAt(2)]).toEqual([null, conversionSecret]);
    await at(3).until(
      () => shownAt(3),
      (secret) => secret === conversionSecret,
    );
  });
});

describe("a stored bearer", () => {
  it("of the previous version is read, and bound to its row", async () => {
    const publisher = await publisherAt(0);
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", createHash("sha256").update(OLD.slice(4)).digest(), iv);
    const sealed = Buffer.concat([cipher.update(publisher.bearer), cipher.final(), cipher.getAuthTag()]);
    const stored = `old.${iv.toString("base64url")}.${sealed.toString("base64url")}`;
    await at(0).rows("update api_tokens set bearer_ciphertext = $2 where id = $1", [publisher.tokenId, stored]);
    expect(await listedAt(0, publisher)).toBe(publisher.bearer);
    await untilSealedWith("old", publisher);
    expect(await listedAt(0, publisher)).toBe(publisher.bearer);
  });

  it("is of no use in another row: the answer has null, and the log one line", async () => {
    const [one, other] = [await publisherAt(0), await publisherAt(0)];
    const sealed = await sealedOf(other);
    await at(0).rows("update api_tokens set bearer_ciphertext = $2 where id = $1", [one.tokenId, sealed]);
    expect(await listedAt(0, one)).toBeNull();
    await at(0).until(
      async () => lostLines(0, one.tokenId),
      (lines) => lines > 0,
    );
    expect(lostLines(0, one.tokenId)).toBe(1);
    expect(at(0).logs().join("\n")).not.toContain(other.bearer);
  });
});

/** Calls an endpoint for the administrator alone at each step. */
const statuses = (token: string) =>
  Promise.all(services.map(async (h) => (await api(h, "GET", "/api/v1/platforms", { token })).status));

it("rotating ADMIN_TOKEN ends the old one", async () => {
  expect(await statuses(SECRETS.ADMIN_TOKEN)).toEqual([200, 200, 401, 401]);
  expect(await statuses(NEXT_ADMIN)).toEqual([401, 401, 200, 200]);
});

it("rotating SESSION_KEY leaves offers, clicks and counters as they are", async () => {
  const { publisher, placement } = await makeInventory(at(0).db);
  const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "1" };
  for (const [shown, clicked] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const { offers } = await askOffers(at(shown), asked);
    const { pathname, search } = new URL(offers[0]?.clickUrl ?? "");
    const answer = await at(clicked).fetch(`${pathname}${search}`, { redirect: "manual" });
    expect(answer.status).toBe(302);
  }
});

it("rotating DATABASE_URL goes over to a second role, and the first may go", async () => {
  const role = `second_${randomBytes(4).toString("hex")}`;
  const url = new URL(at(0).postgresUrl);
  const [owner] = await at(0).rows<{ name: string }>("select current_user as name");
  await at(0).rows(`create role ${role} login password 'another' in role ${owner?.name}`);
  url.username = role;
  url.password = "another";
  const second = await startHarness({ secrets: STEPS[0] ?? {}, postgresUrl: url.href });
  const publisher = await publisherAt(0);
  const answer = await api(second, "GET", "/api/v1/publishers/me", { token: publisher.bearer });
  expect(answer.status).toBe(200);
  expect(dataOf<{ id: string }>(answer).id).toBe(publisher.id);
  await second.close();
  await at(0).rows(`drop role ${role}`);
});
