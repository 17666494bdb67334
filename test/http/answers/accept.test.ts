import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { asksFor } from "../../../functions/http/answers/accept.ts";
import { wantsImage } from "../../../functions/http/answers/pixel.ts";

/** Asks with a header, or without it, and returns what a handler makes of it. */
const asked = async (accept: string | undefined, judge: (c: Parameters<typeof wantsImage>[0]) => boolean) => {
  const app = new Hono().get("/", (c) => c.json(judge(c)));
  const response = await app.request("/", { headers: accept === undefined ? {} : { accept } });
  return response.json();
};

const wantsCsv = (accept: string) =>
  asked(accept, (c) => asksFor(c, "text/csv", "application/json", "application/x-ndjson"));

describe("a type that is asked for", () => {
  it.each([
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["text/*", false],
    ["text/csvx, atext/csv", false],
    ["text/csv", true],
    ["TEXT/CSV; charset=utf-8", true],
    ["application/json, text/csv", true],
    ["text/csv, */*", true],
    ["application/xml, text/csv;q=0.1", true],
    ["application/json, text/csv;q=0.1", false],
    ["application/json;q=0.1,text/csv ; q=0.2", true],
    ["text/csv;q=0, application/json", false],
    ["text/csv;q=0", false],
    ["text/csv;q=0.000, */*;q=0", false],
    ["text/csv;Q=0", false],
    ["text/csv;q=x", false],
    ["text/csv;q=-1", false],
    ["text/csv;q=0.5, */*", false],
    ["text/csv;q=0.5, application/*;q=0.6", false],
    ["text/csv;q=0.5, application/*;q=0.4, */*", true],
    ["text/csv;q=0.5, application/json;q=0, */*", true],
    [`text/csv, ${"application/json;q=1,".repeat(1_000)}`, true],
    [`${",;=".repeat(10_000)}text/csv`, false],
  ])("by Accept: %.60s is told from another: %s", async (accept, isAsked) => {
    expect(await asked(accept, (c) => asksFor(c, "text/csv", "application/json"))).toBe(isAsked);
  });

  it("weighs no less than any of several others", async () => {
    expect(await wantsCsv("text/csv;q=0.5, application/x-ndjson")).toBe(false);
    expect(await wantsCsv("text/csv;q=0.5, application/json")).toBe(false);
    expect(await wantsCsv("text/csv;q=0.5, application/x-ndjson;q=0.5")).toBe(true);
  });
});

describe("an image", () => {
  it.each([
    [undefined, false],
    ["*/*", false],
    ["application/json", false],
    ["image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", true],
    ["image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", true],
    ["image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", true],
    ["image/avif,*/*", true],
    ["image/gif", true],
    ["IMAGE/GIF", true],
    ["image/gif;q=0.1", true],
    ["image/png, application/json", true],
    ["image/png;q=0, image/gif", true],
    ["image/*;q=0, */*", false],
    ["image/*;q=0", false],
    ["image/*;q=0.5, */*", false],
    ["image/*;q=0.5, text/*", false],
    ["image/*;q=0.5, application/json;q=0.6", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", false],
    ["text/html;q=0.9, image/gif", true],
    ["text/html;q=0.9, image/gif;q=0.8", false],
  ])("is asked for by Accept: %s: %s", async (accept, isAsked) => {
    expect(await asked(accept, wantsImage)).toBe(isAsked);
  });
});
