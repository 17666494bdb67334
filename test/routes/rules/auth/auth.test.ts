import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { apiTokens, platformTokens } from "../../../../db/schema/accounts.ts";
import { encryptSecret } from "../../../../db/core/secrets/sealed.ts";
import { hashSecret, makeKey } from "../../../../db/core/secrets/secrets.ts";
import { flat, said, wrapped } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { AD_ROUTES } from "../../../support/routes/ad-operations-routes.ts";
import {
  anyone,
  call,
  makeTenant,
  ROUTES,
  titled,
  type Route,
  type Tenant,
} from "../../../support/routes/auth-routes.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const refusal = ({ method, path }: Route) =>
  path === "/api/v1/publishers" && (method === "POST" || method === "GET")
    ? [401, flat("INVALID_TOKEN")]
    : [401, wrapped("UNAUTHORIZED")];

const anonymous = (method: string, path: string) =>
  `${method} ${path
    .replace(/\?.*/, "")
    .replaceAll(/:\w+/g, ":id")
    .replace(/(?<=.)\/$/, "")}`;

describe("who may call", () => {
  it("is told of every route of management", async () => {
    const { default: app } = await import("../../../../functions/app.ts");
    const served = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/") && path !== "/api/odata")
      .map(({ method, path }) => anonymous(method, path));
    const told = [...ROUTES, ...AD_ROUTES].map(({ method, path }) => anonymous(method, path));
    expect([...new Set(told)].toSorted()).toEqual(
      [...new Set(served)].filter((route) => !route.startsWith("OPTIONS")).toSorted(),
    );
  });
});

const KEY_KINDS = { publisher: "private", platform: "platform" } as const;
const broken = (key: string) => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");

describe("a credential that needs no look-up to be refused", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await makeTenant(h);
  });

  it.each(titled(ROUTES))("%s", async (_, route) => {
    const { publicKey, tokens } = tenant;
    const headers = [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      "Basic dXNlcjpwYXNz",
      tokens.publisher,
      `Token ${tokens.admin}`,
      `Bearer ${tokens.admin} ${tokens.admin}`,
      "Bearer garbage",
      `Bearer ${SECRETS.ADMIN_TOKEN}x`,
      `Bearer ${SECRETS.ADMIN_TOKEN.toUpperCase()}`,
      `Bearer ${broken(tokens.publisher)}`,
      `Bearer ${broken(tokens.platform)}`,
      `Bearer ${publicKey}`,
      `Bearer ${makeKey("conversion")}`,
      ...anyone.filter((kind) => !route.kinds.includes(kind)).map((kind) => `Bearer ${tokens[kind]}`),
    ];
    const before = h.endpoint.requests;
    const answers = await Promise.all(
      headers.map((header) =>
        call(h, route, tenant.ids, undefined, header === undefined ? {} : { authorization: header }),
      ),
    );
    expect(answers.map(said)).toEqual(headers.map(() => refusal(route)));
    expect(h.endpoint.requests).toBe(before);
  });
});

describe("a credential that nobody has, or had until now", () => {
  let tenant: Tenant;
  let expired: Record<"publisher" | "platform", string>;
  beforeAll(async () => {
    tenant = await makeTenant(h);
    expired = { publisher: makeKey("private"), platform: makeKey("platform") };
    const expiresAt = new Date(Date.now() - 1);
    await h.db.insert(platformTokens).values({
      id: newId("token"),
      platformId: tenant.ids.platform,
      hash: await hashSecret(expired.platform),
      expiresAt,
    });
    const id = newId("token");
    await h.db.insert(apiTokens).values({
      id,
      publisherId: tenant.ids.publisher,
      name: "Old",
      hash: await hashSecret(expired.publisher),
      bearerCiphertext: await encryptSecret(expired.publisher, id, SECRETS.TOKEN_ENCRYPTION_KEY),
      revenueAccess: true,
      grossAccess: true,
      expiresAt,
    });
  });

  it.each(titled(ROUTES))("%s", async (_, route) => {
    for (const kind of ["publisher", "platform"] as const) {
      for (const token of [makeKey(KEY_KINDS[kind]), expired[kind]]) {
        const before = h.endpoint.requests;
        expect(said(await call(h, route, tenant.ids, token))).toEqual(refusal(route));
        expect(h.endpoint.requests - before).toBe(route.kinds.includes(kind) ? 1 : 0);
      }
    }
  });
});
