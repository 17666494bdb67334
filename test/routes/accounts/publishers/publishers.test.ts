import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { newId } from "../../../../db/core/ids.ts";
import { decryptSecret, encryptSecret } from "../../../../db/core/secrets/sealed.ts";
import { hashSecret } from "../../../../db/core/secrets/secrets.ts";
import { api, dataOf, idOf, keyOf, said, taken, timestamp } from "../../../support/api.ts";
import { requestOffers } from "../../../support/ask-offers.ts";
import { makeInventory, makePlatform, makePublisher, makeSite } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

type Created = { id: string; publicKeys: string[]; privateKeys: { id: string; bearer: string; createdAt: string }[] };

const create = (body: object, token: string = demo.platformToken) =>
  api(h, "POST", "/api/v1/publishers", { token, body });
const contact = { contactName: "Toni Test", contactEmail: "toni@test.example" };
const nameOf = () => `Publisher ${newId("publisher")}`;

/** A publisher of which nothing was left out, its name made unique. */
const makeCreated = async () => {
  const name = nameOf();
  return { name, ...dataOf<Created>(await create({ name, ...contact, contactPhone: "+1 555 010" })) };
};

describe("POST /api/v1/publishers", () => {
  it("answers with the created publisher and its first keys", async () => {
    const name = nameOf();
    expect(said(await create({ name, ...contact }))).toEqual([
      201,
      {
        success: true,
        data: {
          id: idOf("pub"),
          name,
          createdAt: timestamp,
          updatedAt: timestamp,
          publicKeys: [keyOf("lan_pk_")],
          privateKeys: [{ id: idOf("tok"), name: "Default API Token", bearer: keyOf("lan_sk_"), createdAt: timestamp }],
        },
        message: "Publisher created successfully",
      },
    ]);
  });

  it("leaves one publisher of the platform, one public key and one token, its secret nowhere to be read", async () => {
    const { name, id, publicKeys, privateKeys } = await makeCreated();
    const [publisher] = await h.rows("select * from publishers where id = $1", [id]);
    expect(publisher).toEqual({
      id,
      platform_id: demo.platformId,
      name,
      contact_name: "Toni Test",
      contact_email: "toni@test.example",
      contact_phone: "+1 555 010",
      status: "active",
      ads_enabled: true,
      elevated_limits: false,
      rank_by: "GROSS",
      holdout_percent: 5,
      holdout_changed_on: [],
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
    const keys = await h.rows("select key, expires_at from public_keys where publisher_id = $1", [id]);
    expect(keys).toEqual([{ key: publicKeys[0], expires_at: null }]);
    const tokens = await h.rows<{ id: string; bearer_ciphertext: string }>(
      "select * from api_tokens where publisher_id = $1",
      [id],
    );
    const bearer = privateKeys[0]?.bearer ?? "";
    expect(tokens).toEqual([
      {
        id: privateKeys[0]?.id,
        publisher_id: id,
        name: "Default API Token",
        hash: await hashSecret(bearer),
        bearer_ciphertext: expect.stringMatching(/^v2\.test\./),
        access: "WRITE",
        revenue_access: true,
        gross_access: false,
        created_at: new Date(privateKeys[0]?.createdAt ?? ""),
        expires_at: null,
        last_used_on: null,
      },
    ]);
    expect(JSON.stringify(tokens)).not.toContain(bearer.slice("lan_sk_".length));
    const [token] = tokens;
    const opened = decryptSecret(token?.bearer_ciphertext ?? "", token?.id ?? "", SECRETS.TOKEN_ENCRYPTION_KEY);
    expect(await opened).toBe(bearer);
  });

  it("gives keys that work", async () => {
    const { id, name, publicKeys, privateKeys } = await makeCreated();
    const token = privateKeys[0]?.bearer;
    expect(dataOf(await api(h, "GET", "/api/v1/publishers/me", { token }))).toMatchObject({ id, name });
    const body = { name: "Placed", pageType: "THANK_YOU_PAGE", storeName: "Shop", storeUrl: "https://shop.example" };
    const { id: placementId } = dataOf<{ id: string }>(await api(h, "POST", "/api/placements", { token, body }));
    expect((await requestOffers(h, { publicKey: publicKeys[0] ?? "", placementId })).status).toBe(200);
  });

  it("has an optional phone, and takes an e-mail that another publisher has", async () => {
    const { id } = dataOf<Created>(await create({ name: nameOf(), ...contact }));
    expect(await h.rows("select contact_phone from publishers where id = $1", [id])).toEqual([{ contact_phone: null }]);
    expect((await create({ name: nameOf(), ...contact })).status).toBe(201);
  });

  it("refuses a name that a publisher of any platform has, also after trimming, and leaves nothing", async () => {
    const { name } = await makeCreated();
    const { token } = await makePlatform(h.db);
    const countAll = () => h.rows("select (select count(*) from publishers), (select count(*) from api_tokens)");
    const before = await countAll();
    expect(said(await create({ name, ...contact }))).toEqual(taken("Publisher", name));
    expect(said(await create({ name: ` ${name}\n`, ...contact }, token))).toEqual(taken("Publisher", name));
    expect(await countAll()).toEqual(before);
    expect((await create({ name: name.toUpperCase(), ...contact })).status).toBe(201);
  });
});

const brief = ({ id, name }: { id: string; name: string }) => ({
  id,
  name,
  createdAt: timestamp,
  updatedAt: timestamp,
});

describe("reading a publisher", () => {
  it("GET /me answers with the token's own", async () => {
    const publisher = await makePublisher(h.db);
    const answer = await api(h, "GET", "/api/v1/publishers/me", { token: publisher.privateKey });
    expect(said(answer)).toEqual([200, { success: true, data: brief(publisher) }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("GET /:id answers with contacts and status", async () => {
    const publisher = await makePublisher(h.db, { contactPhone: "+1 555 010", status: "inactive" });
    const answer = await api(h, "GET", `/api/v1/publishers/${publisher.id}`, { token: publisher.privateKey });
    const { contactName, contactEmail } = publisher;
    expect(said(answer)).toEqual([
      200,
      {
        success: true,
        data: { ...brief(publisher), contactName, contactEmail, contactPhone: "+1 555 010", status: "inactive" },
      },
    ]);
  });

  it("GET /:id shows a phone that was never given as null", async () => {
    const { id, privateKey: token } = await makePublisher(h.db);
    expect(dataOf(await api(h, "GET", `/api/v1/publishers/${id}`, { token }))).toHaveProperty("contactPhone", null);
  });

  it.each(["me", "by id"])("include=relations adds its sites, newest first: %s", async (which) => {
    const publisher = await makePublisher(h.db);
    const path = `/api/v1/publishers/${which === "me" ? "me" : publisher.id}?include=relations`;
    const token = publisher.privateKey;
    expect(dataOf(await api(h, "GET", path, { token }))).toHaveProperty("sites", []);
    const old = await makeSite(h.db, publisher.id, { createdAt: new Date("2026-01-02T03:04:05.000Z") });
    const young = await makeSite(h.db, publisher.id, { createdAt: new Date("2026-01-02T03:04:05.060Z") });
    await makeInventory(h.db);
    const data = dataOf<{ sites: object[] }>(await api(h, "GET", path, { token }));
    expect(data.sites).toEqual([
      { id: young.id, name: young.name, createdAt: "2026-01-02T03:04:05.060Z" },
      { id: old.id, name: old.name, createdAt: "2026-01-02T03:04:05.000Z" },
    ]);
    const { sites: _, ...rest } = data;
    expect(rest).toEqual(dataOf(await api(h, "GET", path.replace(/\?.*/, ""), { token })));
  });
});

describe("GET /:id/api-tokens", () => {
  it("lists the valid tokens with their bearers, newest first", async () => {
    const { id, privateKeys } = await makeCreated();
    const token = privateKeys[0]?.bearer ?? "";
    const columns = "publisher_id, revenue_access, gross_access";
    const copy = async (name: string, created: string, expires: string | null) => {
      const copied = newId("token");
      const sealed = await encryptSecret(token, copied, SECRETS.TOKEN_ENCRYPTION_KEY);
      await h.rows(
        `insert into api_tokens (id, name, hash, created_at, expires_at, bearer_ciphertext, ${columns})
         select $1, $2, $1, $3, $4, $6, ${columns} from api_tokens where publisher_id = $5 limit 1`,
        [copied, name, created, expires, id, sealed],
      );
    };
    await copy("Newer", "2099-01-01T00:00:00Z", "2099-01-02T00:00:00Z");
    await copy("Expired", "2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z");
    const shape = { bearer: token, revenueAccess: true, grossAccess: false, createdAt: timestamp };
    const answer = await api(h, "GET", `/api/v1/publishers/${id}/api-tokens`, { token });
    expect(said(answer)).toEqual([
      200,
      {
        success: true,
        data: [
          { id: idOf("tok"), name: "Newer", ...shape, createdAt: "2099-01-01T00:00:00.000Z" },
          { id: privateKeys[0]?.id, name: "Default API Token", ...shape },
        ],
      },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});
