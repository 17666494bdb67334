import fc from "fast-check";
import type { MiddlewareHandler } from "hono";
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import { describe, expect, it } from "vitest";
import { RememberingRouter } from "../../functions/http/router.ts";

const routes = (router: RememberingRouter<string>, method: string, path: string) =>
  router.match(method, path)[0].map(([handler]) => handler);

/** Describes handlers for one path: those that let requests pass on, and perhaps one that answers. */
type Entry = { path: string; method: "ALL" | "GET" | "POST"; passes: number; answers: boolean };

type TracingEnv = { Variables: { trace: string[] } };

/** Adds handlers to an app. What answers says which handlers the request met; those of a method always answer in the end. */
const withHandlers = (app: HonoBase<TracingEnv>, table: readonly Entry[]): HonoBase<TracingEnv> => {
  table.forEach(({ path, method, passes, answers }, at) => {
    const handlers: MiddlewareHandler<TracingEnv>[] = Array.from({ length: passes }, (_, pass) => (c, next) => {
      c.set("trace", [...(c.get("trace") ?? []), `${at}.${pass}`]);
      return next();
    });
    const answer: MiddlewareHandler<TracingEnv> = async (c) =>
      c.json([...(c.get("trace") ?? []), `${at} answers`, c.req.param()]);
    if (answers || method !== "ALL") handlers.push(answer);
    for (const handler of handlers) app.on(method, path, handler);
  });
  return app;
};

const answerOf = async (app: HonoBase<TracingEnv>, method: string, path: string) => {
  const response = await app.request(path, { method });
  return [response.status, await response.text()];
};

describe("RememberingRouter", () => {
  const router = new RememberingRouter<string>();
  router.add("ALL", "/*", "all");
  router.add("GET", "/a", "get a");
  router.add("POST", "/a", "post a");
  router.add("GET", "/b/me", "me");
  router.add("GET", "/b/:id", "by id");
  router.add("ALL", "/*", "behind all");

  it.each([
    ["GET", "/a", ["all", "get a"]],
    ["POST", "/a", ["all", "post a"]],
    ["PUT", "/a", ["all", "behind all"]],
    ["GET", "/b/me", ["all", "me", "by id"]],
    ["GET", "/b/1", ["all", "by id", "behind all"]],
    ["GET", "/c", ["all", "behind all"]],
  ])("finds for %s %s %j, again and again", (method, path, expected) => {
    for (let i = 0; i < 3; i += 1) expect(routes(router, method, path)).toEqual(expected);
  });

  it("keeps the parameters of each path apart", () => {
    for (const id of ["1", "2", "me", "1"]) {
      const found = router.match("GET", `/b/${id}`)[0].find(([handler]) => handler === "by id");
      expect(found?.[1]).toEqual({ id });
    }
  });

  it("lets apps answer as they do over hono's own router, again and again", async () => {
    const paths = fc.constantFrom("/", "/a", "/a/b", "/a/:id", "/:any/b", "/a/*", "/*");
    const tables = fc.array(
      fc.record({
        path: paths,
        method: fc.constantFrom("ALL", "GET", "POST"),
        passes: fc.nat({ max: 2 }),
        answers: fc.boolean(),
      }),
      { maxLength: 6 },
    );
    const requests = fc.array(
      fc.record({
        method: fc.constantFrom("GET", "POST", "PUT"),
        path: fc.constantFrom("/", "/a", "/a/b", "/a/c", "/b", "/b/b", "/a/b/c"),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(tables, requests, async (table, asked) => {
        const apps = [new RememberingRouter<never>(), new TrieRouter<never>()].map((one) =>
          withHandlers(new HonoBase<TracingEnv>({ router: one }), table),
        );
        for (const { method, path } of [...asked, ...asked]) {
          const [remembering, plain] = await Promise.all(apps.map((app) => answerOf(app, method, path)));
          expect(remembering).toEqual(plain);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("forgets when a route is added", () => {
    const growing = new RememberingRouter<string>();
    growing.add("GET", "/a", "first");
    expect(routes(growing, "GET", "/a")).toEqual(["first"]);
    growing.add("GET", "/a", "second");
    expect(routes(growing, "GET", "/a")).toEqual(["first", "second"]);
  });
});
