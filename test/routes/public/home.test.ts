import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import { sharedHarness, startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const get = async (path: string, accept?: string, of = h) => {
  const response = await of.fetch(path, { headers: accept === undefined ? {} : { accept } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const linksOf = (json: string) => (JSON.parse(json) as { data: { links: Record<string, string> } }).data.links;
const linkedBy = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, path = ""]) => path);

const SHORT = "public, max-age=300";
const LONG = "public, max-age=86400, stale-while-revalidate=604800";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("GET /", () => {
  it("is a page under the policy of all pages, which takes nothing inline", async () => {
    const { status, headers, text } = await get("/", BROWSER);
    expect([status, headers.get("content-type"), headers.get("cache-control"), headers.get("vary")]).toEqual([
      200,
      "text/html; charset=utf-8",
      SHORT,
      "Accept",
    ]);
    expect(headers.get("content-security-policy")).toBe(
      (await h.fetch("/ui/webview")).headers.get("content-security-policy"),
    );
    expect([headers.get("referrer-policy"), headers.get("x-content-type-options")]).toEqual(["no-referrer", "nosniff"]);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).not.toMatch(/<style|<script| style=|https?:/);
  });

  it("links what is served, and tells programs the same", async () => {
    const { text } = await get("/", BROWSER);
    const { llms, ...links } = linksOf((await get("/", "application/json")).text);
    expect(linkedBy(text)).toEqual(Object.values(links));
    expect(links).toMatchObject({ demo: "/demo", health: "/health" });
    const loaded = [...text.matchAll(/<(?:link|img)[^>]* (?:href|src)="([^"]+)"/g)].map(([, path = ""]) => path);
    for (const path of [...Object.values(links), ...loaded, llms]) {
      expect([path, (await h.fetch(String(path))).status]).toEqual([path, 200]);
    }
    expect(loaded).toHaveLength(3);
  });

  it.each([
    [undefined, "html"],
    ["*/*", "html"],
    ["text/html, application/json", "html"],
    ["application/json;q=0.8, text/html", "html"],
    ["application/json;q=0, */*", "html"],
    ["application/json;q=x", "html"],
    ["application/jsonp", "html"],
    ["application/json;q=0.8, */*", "html"],
    ["application/json", "json"],
    ["Application/JSON; charset=utf-8", "json"],
    ["application/json, text/plain, */*", "json"],
    ["text/html;q=0.5, application/json ; q=0.9", "json"],
  ])("answers Accept: %s as %s", async (accept, kind) => {
    const { status, headers } = await get("/", accept);
    const type = kind === "json" ? /^application\/json/ : /^text\/html/;
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringMatching(type)]);
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual([SHORT, "Accept"]);
  });

  it("answers JSON in the shape of every answer", async () => {
    expect(JSON.parse((await get("/", "application/json")).text)).toEqual({
      success: true,
      data: { name: "Lanyap", about: expect.stringContaining("offer service"), links: expect.any(Object) },
    });
  });

  it("answers HEAD without a body, and 304 to those who have it", async () => {
    const head = await h.fetch("/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const etag = (await get("/", BROWSER)).headers.get("etag") ?? "";
    const again = await h.fetch("/", { headers: { accept: BROWSER, "if-none-match": etag } });
    expect([again.status, again.headers.get("vary")]).toEqual([304, "Accept"]);
  });
});

describe("beside it", () => {
  it("/llms.txt links the same", async () => {
    const { status, headers, text } = await get("/llms.txt");
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/plain; charset=utf-8",
      SHORT,
    ]);
    const { llms, ...links } = linksOf((await get("/", "application/json")).text);
    expect([...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path)).toEqual(Object.values(links));
    expect(llms).toBe("/llms.txt");
  });

  it("/robots.txt keeps crawlers from what answers and counts, and from nothing else", async () => {
    const { status, headers, text } = await get("/robots.txt");
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/plain; charset=utf-8",
      LONG,
    ]);
    expect(text).toMatch(/^User-agent: \*\n/);
    const closed = [...text.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = ""]) => path);
    const isClosed = (path: string) => closed.some((start) => path.startsWith(start));
    expect(["/api/odata", "/click", "/vdata", "/close", "/conversion", "/console/sites"].filter(isClosed)).toHaveLength(
      6,
    );
    expect(
      ["/", "/demo", "/embed.js", "/privacy", "/llms.txt", "/icons/brand.svg", "/console"].filter(isClosed),
    ).toEqual([]);
  });

  it("/favicon.ico is an icon file", async () => {
    const response = await h.fetch("/favicon.ico");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, LONG]);
    expect(response.headers.get("content-type")).toMatch(/^image\//);
    expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 48, 48]);
    expect(bytes.readUInt32LE(14) + bytes.readUInt32LE(18)).toBe(bytes.length);
  });

  it.each(["/home/demo/home.html", "/home/plain/home.json", "/home.html", "/ui/home.html"])(
    "there is nothing at %s",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe("a service without the demo network", () => {
  it("links no demo store", async () => {
    const other = await startHarness();
    await other.rows("delete from placements where id = $1", [demo.placements.live]);
    expect(linkedBy((await get("/", BROWSER, other)).text)).not.toContain("/demo");
    expect(linksOf((await get("/", "application/json", other)).text)).not.toHaveProperty("demo");
    expect((await get("/llms.txt", undefined, other)).text).not.toContain("/demo");
    await other.close();
  });
});
