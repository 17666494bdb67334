import { describe, expect, it } from "vitest";
import { RememberingRouter } from "../../functions/http/router.ts";

const routes = (router: RememberingRouter<string>, method: string, path: string) =>
  router.match(method, path)[0].map(([handler]) => handler);

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

  it("forgets when a route is added", () => {
    const growing = new RememberingRouter<string>();
    growing.add("GET", "/a", "first");
    expect(routes(growing, "GET", "/a")).toEqual(["first"]);
    growing.add("GET", "/a", "second");
    expect(routes(growing, "GET", "/a")).toEqual(["first", "second"]);
  });
});
