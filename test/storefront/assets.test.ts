import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { demo } from "../../db/demo/network.ts";
import { readVars } from "../../db/local/environment.ts";
import { ICON_NAMES } from "../../functions/core/icon-names.ts";
import { renderIcon } from "../../functions/storefront/icons.ts";
import { LANGUAGES } from "../../functions/storefront/languages.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { readProjectFile } from "../support/markdown.ts";

const LIMIT = 8 * 1024;

type Release = { url: string; integrity: string; bytes: number; gzip: number };

let h: Harness;
let release: Release;

beforeAll(async () => {
  h = await startHarness();
  release = (await (await h.fetch("/embed.json")).json()) as Release;
});
afterAll(() => h.close());

const headersOf = async (path: string, names: string[]) => {
  const { headers, status } = await h.fetch(path);
  return [status, ...names.map((name) => headers.get(name))];
};

describe("the storefront script", () => {
  it("has a stable name for five minutes and a hashed one for ever, for every origin", async () => {
    const names = [
      "content-type",
      "cache-control",
      "access-control-allow-origin",
      "cross-origin-resource-policy",
      "x-content-type-options",
    ];
    const common = ["*", "cross-origin", "nosniff"];
    const type = "text/javascript; charset=utf-8";
    const short = "public, max-age=300";
    expect(await headersOf("/embed.js", names)).toEqual([200, type, short, ...common]);
    expect(await headersOf("/embed.json", names)).toEqual([200, "application/json", short, ...common]);
    expect(await headersOf(release.url, names)).toEqual([200, type, "public, max-age=31536000, immutable", ...common]);
  });

  it("is the same under both names, as its integrity value says, and at most 8 KB", async () => {
    const [stable, hashed] = await Promise.all(
      ["/embed.js", release.url].map(async (path) => (await h.fetch(path)).text()),
    );
    expect(hashed).toBe(stable);
    expect(release.integrity).toBe(
      `sha384-${createHash("sha384")
        .update(stable ?? "")
        .digest("base64")}`,
    );
    expect(gzipSync(stable ?? "", { level: 9 }).length).toBeLessThanOrEqual(LIMIT);
    expect(release.bytes).toBe(Buffer.byteLength(stable ?? ""));
  });

  it("names what it loads when that is needed, which is as its integrity values say, for ever", async () => {
    const forever = "public, max-age=31536000, immutable";
    const load = async (text: string, name: RegExp) => {
      const [, path = "", integrity = ""] = name.exec(text) ?? [];
      const response = await h.fetch(`/${path}`);
      const content = await response.text();
      const found = [response.status, response.headers.get("cache-control")];
      expect([...found, response.headers.get("access-control-allow-origin")]).toEqual([200, forever, "*"]);
      expect(integrity).toBe(`sha384-${createHash("sha384").update(content).digest("base64")}`);
      return content;
    };
    const script = await (await h.fetch("/embed.js")).text();
    const texts = await load(script, /"(embed\.[0-9a-f]{16}\.json)",integrity:"([^"]+)"/);
    expect(JSON.parse(texts)).toMatchObject({ words: LANGUAGES });
    const warnings = await load(texts, /"(embed\.[0-9a-f]{16}\.js)","integrity":"([^"]+)"/);
    expect(warnings).toContain("may be meant");
  });

  it("is in the guide for shops as it is now", () => {
    const guide = readProjectFile("functions/storefront/README.md");
    expect(guide).toContain(`${release.url}"`);
    expect(guide).toContain(`integrity="${release.integrity}"`);
  });

  it("answers 304 to those who have it, and 404 to a hash of another version", async () => {
    const etag = (await h.fetch("/embed.js")).headers.get("etag") ?? "";
    const again = await h.fetch("/embed.js", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text(), again.headers.get("access-control-allow-origin")]).toEqual([
      304,
      "",
      "*",
    ]);
    const other = await h.fetch("/embed.0123456789abcdef.js");
    expect([other.status, other.headers.get("cache-control")]).toEqual([404, null]);
    expect(await other.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  });
});

describe("the service's own pages and pictures", () => {
  it.each([...ICON_NAMES])("serves the icon %s as it was drawn", async (name) => {
    const response = await h.fetch(`/icons/${name}.svg`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400, stale-while-revalidate=604800");
    expect(response.headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(await response.text()).toBe(renderIcon(name));
  });

  it.each(["/ui/webview", "/demo"])("serves %s under a policy that allows nothing inline", async (path) => {
    const { status, headers } = await h.fetch(path);
    expect([status, headers.get("content-type"), headers.get("referrer-policy")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-referrer",
    ]);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' http:\/\/127\.0\.0\.1:\d+; img-src 'self' http:\/\/127\.0\.0\.1:\d+ https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  });

  it.each([
    "/demo.html",
    "/ui/demo.html",
    "/ui/webview.html",
    "/ui/privacy.html",
    "/ui/nothing.js",
    "/embed.js.map",
    "/icons/",
  ])("has nothing at %s", async (path) => {
    expect((await h.fetch(path)).status).toBe(404);
  });

  it("answers HEAD without a body", async () => {
    const response = await h.fetch("/embed.js", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("a service without the demo network", () => {
  it("has no demo store", async () => {
    const other = await startHarness();
    await other.rows("delete from placements where id = $1", [demo.placements.live]);
    const response = await other.fetch("/demo");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect((await other.fetch("/demo/figures")).status).toBe(404);
    await other.close();
  });
});

describe("what everybody can load", () => {
  const ROOT = resolve(import.meta.dirname, "../..");
  const files = () =>
    ["dist/assets", inject("workerDir")].flatMap((folder) =>
      globSync(`${folder}/**/*`, { cwd: ROOT, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );

  it("and the bundle hold no private key, no token and no secret of the example", () => {
    const secrets = Object.entries(readVars(join(ROOT, ".dev.vars.example")))
      .filter(([, value]) => value !== "")
      .map(([, value]) => value.slice(value.indexOf(":") + 1));
    expect([files().length > 10, secrets.length]).toEqual([true, 5]);
    const KEY = /lan_(?:sk|plat|cs)_[0-9A-Za-z]{49}/;
    expect(KEY.test(demo.privateKey) && KEY.test(demo.platformToken)).toBe(true);
    const telling = files().filter((path) => {
      const text = readFileSync(path, "latin1");
      return KEY.test(text) || secrets.some((secret) => text.includes(secret));
    });
    expect(telling).toEqual([]);
  });
});

describe("GET /demo/figures", () => {
  it("tells what the demo's placement has counted, without money", async () => {
    const response = await h.fetch("/demo/figures");
    const figures = { requests: 0, impressions: 0, viewable: 0, clicks: 0, closes: 0 };
    expect([response.status, await response.json()]).toEqual([200, { success: true, data: figures }]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("asks Postgres once, for all who ask at a time", async () => {
    const other = await startHarness();
    await other.fetch("/demo");
    const before = other.database.trips.length;
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    other.database.hold = promise;
    const asked = Array.from({ length: 8 }, () => other.fetch("/demo/figures"));
    await other.until(
      async () => other.database.held,
      (held) => held > 0,
    );
    letGo();
    other.database.hold = null;
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const reports = other.database.trips.slice(before).filter(([query]) => query?.includes("daily_counters"));
    expect(reports).toHaveLength(1);
    await other.close();
  });
});
