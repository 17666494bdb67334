import { beforeAll, describe, expect, it } from "vitest";
import { sharedHarness, type Harness } from "../support/harness.ts";
import { addressOf, queryOf, makeWorld, ROUTES, tokenOf, type World } from "../support/routes/every-route.ts";
import { SECRETS } from "../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

describe("a path that nothing answers at", () => {
  it.each(["/nowhere", "/api", "/api/odata/", "/api/odata/x", "/API/ODATA", "/health/x", "/icons/brand.png"])(
    "is 404 for every method: %s",
    async (path) => {
      for (const method of ["GET", "POST", "DELETE", "PROPFIND"]) {
        const response = await h.fetch(path, { method });
        expect(response.status).toBe(404);
        expect(response.headers.get("allow")).toBeNull();
        expect(await response.json()).toEqual({
          success: false,
          error: { code: "NOT_FOUND", message: "There is nothing at this path" },
        });
      }
    },
  );
});

describe("a path asked with a method that it does not have", () => {
  it.each([
    ["/health", "GET, HEAD, OPTIONS"],
    ["/", "GET, HEAD, OPTIONS"],
    ["/llms.txt", "GET, HEAD, OPTIONS"],
    ["/favicon.ico", "GET, HEAD, OPTIONS"],
    ["/robots.txt", "GET, HEAD, OPTIONS"],
    ["/privacy", "GET, HEAD, OPTIONS"],
    ["/icons/brand.svg", "GET, HEAD, OPTIONS"],
    ["/icons/nothing.svg", "GET, HEAD, OPTIONS"],
    ["/api/odata", "GET, HEAD, OPTIONS"],
    ["/vdata", "GET, POST, HEAD, OPTIONS"],
    ["/close", "GET, POST, HEAD, OPTIONS"],
    ["/click", "GET, POST, HEAD, OPTIONS"],
  ])("%s is 405 and names %s", async (path, allowed) => {
    for (const method of ["PUT", "PATCH", "DELETE", "PROPFIND"]) {
      const response = await h.fetch(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe(allowed);
      expect(await response.json()).toEqual({
        success: false,
        error: { code: "METHOD_NOT_ALLOWED", message: `This path answers ${allowed}` },
      });
    }
  });
});

describe("OPTIONS", () => {
  it.each(["/", "/robots.txt", "/health", "/privacy", "/icons/brand.svg"])("tells the methods of %s", async (path) => {
    const response = await h.fetch(path, { method: "OPTIONS" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});

describe("the management API", () => {
  let world: World | undefined;
  const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const CALLERS: [who: string, headers: Record<string, string>][] = [
    ["nobody", {}],
    ["the administrator", { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}` }],
  ];
  const routes = ROUTES.map(({ route }) => {
    const [method = "", pattern = ""] = route.split(" ");
    return {
      method,
      path: pattern.replaceAll(/:\w+/g, "x"),
      matches: new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`),
    };
  });
  const paths = [...new Set(routes.map(({ path }) => path))];
  const asked = paths.flatMap((path) => CALLERS.map(([who, headers]) => ({ path, who, headers })));

  it.each(asked)("answers 405 to every other method, and names its own: $path, for $who", async ({ path, headers }) => {
    const own = METHODS.filter((method) => routes.some((route) => route.method === method && route.matches.test(path)));
    const allowed = [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    for (const method of [...METHODS, "PROPFIND"].filter((name) => !own.includes(name))) {
      const response = await h.fetch(path, { method, headers });
      expect([method, response.status, await response.json()]).toEqual([
        method,
        405,
        { success: false, error: { code: "METHOD_NOT_ALLOWED", message: `This path answers ${allowed.join(", ")}` } },
      ]);
      expect(response.headers.get("allow")).toBe(allowed.join(", "));
    }
    const options = await h.fetch(path, { method: "OPTIONS", headers });
    expect([options.status, options.headers.get("allow")]).toEqual([204, allowed.join(", ")]);
  });

  it.each(asked)("knows nothing behind or beside its paths: $path, for $who", async ({ path, headers }) => {
    for (const wrong of [
      `${path}/`,
      `${path}/x/y/z`,
      path.toUpperCase(),
      `/x${path}`,
      path.replace("/api/", "/api//"),
    ]) {
      const response = await h.fetch(wrong, { headers });
      expect([wrong, response.status, await response.json()]).toMatchObject([
        wrong,
        404,
        { error: { code: "NOT_FOUND" } },
      ]);
    }
  });

  it.each(ROUTES.filter(({ route }) => route.startsWith("GET ")))("answers HEAD like $route", async (route) => {
    world ??= await makeWorld(h);
    const path = `${addressOf(route, world).path}?${queryOf(route, world)}`;
    const headers = { authorization: `Bearer ${tokenOf(route, world)}` };
    const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => h.fetch(path, { method, headers })));
    expect([get?.status, head?.status, await head?.text()]).toEqual([200, 200, ""]);
    expect(head?.headers.get("content-type")).toBe(get?.headers.get("content-type"));
  });
});
