import { describe, expect, it, vi } from "vitest";
import { factory } from "../../functions/http/factory.ts";
import { ApiError } from "../../functions/http/errors.ts";
import { openToPages } from "../../functions/http/open.ts";
import { SETTINGS } from "../support/secrets.ts";

const { open, headersOf } = openToPages({ methods: ["GET"], exposed: ["x-reason"], headers: { "x-more": "1" } });

/** Asks an app with one open endpoint. */
const ask = (handle: Parameters<typeof open>[0]): Response | Promise<Response> =>
  factory.createApp().get("/", open(handle)).fetch(new Request("https://offers.example/"), SETTINGS);

describe("an endpoint open to pages", () => {
  it("answers at once what waits for nothing", () => {
    expect(ask((c) => new Response("yes", { headers: headersOf(c) }))).toBeInstanceOf(Response);
  });

  it.each<[string, Parameters<typeof open>[0], number]>([
    ["what is answered at once", (c) => new Response("yes", { headers: headersOf(c) }), 200],
    ["what is answered later", async (c) => new Response("yes", { headers: headersOf(c) }), 200],
    [
      "what is refused at once",
      () => {
        throw new ApiError("UNAUTHORIZED", "no");
      },
      401,
    ],
    ["what is refused later", () => Promise.reject(new ApiError("UNAUTHORIZED", "no")), 401],
    ["what fails", () => Promise.reject(new TypeError("broken")), 500],
    ["what fails without an error", () => Promise.reject("jo@shop.example"), 500],
    ["what fails with nothing to show", () => Promise.reject(Object.create(null)), 500],
  ])("opens %s", async (_, handle, status) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { status: answered, headers } = await ask(handle);
    expect(log).toHaveBeenCalledTimes(status === 500 ? 1 : 0);
    expect(log.mock.calls.join()).not.toContain("@");
    log.mockRestore();
    expect(answered).toBe(status);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe(status === 200 ? null : "x-reason");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-more")).toBe("1");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
  });
});
