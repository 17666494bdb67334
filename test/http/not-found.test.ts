import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHarness, type Harness } from "../harness.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

describe("a path that nothing answers at", () => {
  it.each(["/", "/nowhere", "/api", "/api/odata/", "/api/odata/x", "/API/ODATA", "/health/x", "/icons/brand.png"])(
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
  it.each(["/health", "/privacy", "/icons/brand.svg"])("tells the methods of %s", async (path) => {
    const response = await h.fetch(path, { method: "OPTIONS" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});
