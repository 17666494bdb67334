import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { apiTokens, platformTokens } from "../../../db/schema/accounts.ts";
import { encryptSecret } from "../../../db/core/secrets/sealed.ts";
import { hashSecret, makeKey } from "../../../db/core/secrets/secrets.ts";
import { api, missing, said, wrapped } from "../../support/api.ts";
import { makeAdvertiser, makeCreative, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { AD_ROUTES, anyone, type Ids, type Route } from "../../support/routes/ad-operations-routes.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const titled = (routes: Route[]) => routes.map((route) => [`${route.method} ${route.path}`, route] as const);

/** A platform with all that a path can name. */
const makeTenant = async () => {
  const platform = await makePlatform(h.db);
  const { publisher, site, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(h.db, { platformId: platform.id });
  const offer = await makeOffer(h.db, advertiser.id, { includeSites: [site.id] });
  const creative = await makeCreative(h.db, offer.id);
  const addToken = async (id: string, bearer: string, expiresAt: Date | null) =>
    h.db.insert(apiTokens).values({
      id,
      publisherId: publisher.id,
      name: "Another",
      hash: await hashSecret(bearer),
      bearerCiphertext: await encryptSecret(bearer, id, SECRETS.TOKEN_ENCRYPTION_KEY),
      revenueAccess: true,
      grossAccess: false,
      expiresAt,
    });
  const token = newId("token");
  await addToken(token, makeKey("private"), null);
  const revoked = { publisher: makeKey("private"), platform: makeKey("platform") };
  const expiresAt = new Date(Date.now() - 1);
  await addToken(newId("token"), revoked.publisher, expiresAt);
  const hash = await hashSecret(revoked.platform);
  await h.db.insert(platformTokens).values({ id: newId("token"), platformId: platform.id, hash, expiresAt });
  const { publicKey, privateKey } = publisher;
  return {
    ids: {
      publisher: publisher.id,
      token,
      key: publicKey,
      advertiser: advertiser.id,
      offer: offer.id,
      creative: creative.id,
      placement: placement.id,
    },
    revoked,
    conversionSecret: advertiser.conversionSecret,
    tokens: { publisher: privateKey, platform: platform.token, admin: SECRETS.ADMIN_TOKEN },
  };
};
type Tenant = Awaited<ReturnType<typeof makeTenant>>;

const call = ({ method, path, body }: Route, ids: Ids, headers: Record<string, string>) =>
  api(
    h,
    method,
    path.replaceAll(/:(\w+)/g, (_, name: keyof Ids) => ids[name]),
    { body: body?.(ids), headers },
  );
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const FORBIDDEN = [403, wrapped("FORBIDDEN")];
const UNAUTHORIZED = [401, wrapped("UNAUTHORIZED")];

describe("a credential that opens nothing", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  it.each(titled(AD_ROUTES))("is refused without a query: %s", async (_, route) => {
    const { tokens, ids, conversionSecret } = tenant;
    const refused: Record<string, string>[] = [
      {},
      { authorization: "" },
      { authorization: "Bearer" },
      { authorization: "Basic dXNlcjpwYXNz" },
      { authorization: tokens.admin },
      ...["garbage", `${tokens.admin}x`, `${tokens.platform}x`, ids.key, conversionSecret].map(bearer),
      bearer(tokens.publisher.slice(0, -1) + (tokens.publisher.endsWith("0") ? "1" : "0")),
      ...anyone.filter((kind) => !route.kinds.includes(kind)).map((kind) => bearer(tokens[kind])),
    ];
    const before = h.endpoint.requests;
    const answers = await Promise.all(refused.map((headers) => call(route, ids, headers)));
    expect(answers.map(said)).toEqual(refused.map(() => UNAUTHORIZED));
    expect(h.endpoint.requests).toBe(before);
  });

  it.each(titled(AD_ROUTES))("is refused after one query, being unknown or revoked: %s", async (_, route) => {
    for (const kind of ["publisher", "platform"] as const) {
      const unknown = makeKey(kind === "publisher" ? "private" : "platform");
      for (const token of [unknown, tenant.revoked[kind]]) {
        const before = h.endpoint.requests;
        expect(said(await call(route, tenant.ids, bearer(token)))).toEqual(UNAUTHORIZED);
        expect(h.endpoint.requests - before).toBe(route.kinds.includes(kind) ? 1 : 0);
      }
    }
  });
});

const named = (name: keyof Ids) => titled(AD_ROUTES.filter(({ path }) => path.includes(`:${name}`)));

describe("another tenant's", () => {
  const id = { publisher: newId("publisher"), advertiser: newId("advertiser"), offer: newId("offer") };
  const rest = {
    creative: newId("creative"),
    token: newId("token"),
    key: makeKey("public"),
    placement: newId("placement"),
  };
  const unknown: Ids = { ...id, ...rest };
  const malformed: Ids = {
    publisher: "42",
    advertiser: "adv_",
    offer: id.advertiser,
    creative: id.offer,
    token: "x",
    key: "y",
    placement: "z",
  };
  let own: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    own = await makeTenant();
    other = await makeTenant();
  });

  it.each(named("publisher"))("publisher is forbidden, an unknown one is not found: %s", async (_, route) => {
    for (const kind of route.kinds) {
      const credential = bearer(own.tokens[kind]);
      const foreign = await call(route, kind === "admin" ? unknown : other.ids, credential);
      expect(said(foreign)).toEqual(kind === "admin" ? missing("Publisher", unknown.publisher) : FORBIDDEN);
      for (const ids of [unknown, { ...unknown, publisher: malformed.publisher }]) {
        expect(said(await call(route, ids, credential))).toEqual(missing("Publisher", ids.publisher));
      }
    }
  });

  it.each([...named("advertiser"), ...named("offer")])("is as unknown as none: %s", async (_, route) => {
    const [name, resource] = route.path.includes(":offer")
      ? (["offer", "Offer"] as const)
      : (["advertiser", "Advertiser"] as const);
    for (const kind of route.kinds) {
      for (const ids of kind === "admin" ? [unknown, malformed] : [other.ids, unknown, malformed]) {
        expect(said(await call(route, ids, bearer(own.tokens[kind])))).toEqual(missing(resource, ids[name]));
      }
    }
  });

  it.each([...named("token"), ...named("key")])("is not found under one's own publisher: %s", async (_, route) => {
    const [name, resource] = route.path.includes(":token")
      ? (["token", "Token"] as const)
      : (["key", "PublicKey"] as const);
    for (const kind of route.kinds) {
      for (const ids of [other.ids, unknown, malformed]) {
        const mixed = { ...ids, publisher: own.ids.publisher };
        expect(said(await call(route, mixed, bearer(own.tokens[kind])))).toEqual(missing(resource, ids[name]));
      }
    }
  });

  it("rows are as they were", async () => {
    const { ids } = other;
    const [row] = await h.rows(
      `select a.status as advertiser, o.status as offer, o.title,
         (select count(*)::int from api_tokens t where t.publisher_id = $2 and t.expires_at is null) as tokens,
         (select count(*)::int from public_keys k where k.publisher_id = $2 and k.expires_at is null) as keys
       from advertisers a join offers o on o.advertiser_id = a.id where a.id = $1`,
      [ids.advertiser, ids.publisher],
    );
    expect(row).toEqual({ advertiser: "active", offer: "active", title: "A title", tokens: 2, keys: 1 });
  });
});

/** Stands for the lines of a file. */
const FILE: unknown = expect.anything();

describe("the right credential", () => {
  it.each(titled(AD_ROUTES))("%s", async (_, route) => {
    const answers = await Promise.all(
      route.kinds.map(async (kind) => {
        const { ids, tokens } = await makeTenant();
        return call(route, ids, bearer(tokens[kind]));
      }),
    );
    const made = route.method === "POST" && !/\/(?:explain|forecast|replay|import)$/.test(route.path);
    const body = route.path.endsWith("/export") ? FILE : { success: true };
    expect(answers.map(said)).toMatchObject(answers.map(() => [made ? 201 : 200, body]));
  });
});
