import { beforeAll, describe, expect, it } from "vitest";
import { GUIDES } from "../../../functions/docs/guides.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { wrapped } from "../../support/api.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const get = async (path: string) => {
  const response = await h.fetch(path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const PAGES = ["/docs", ...GUIDES.map(({ slug }) => `/docs/${slug}`)];

/** Lists what a page leads to, with what stands behind `#`. */
const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

type Described = { paths: Record<string, Record<string, { operationId?: string }>> };
const operationIds = async (): Promise<Set<string | undefined>> => {
  const { paths } = JSON.parse((await get("/openapi.json")).text) as Described;
  return new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId)));
};

describe("GET /docs", () => {
  it.each(PAGES)("%s is a page under the policy of all pages, which takes nothing inline", async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).toBe(
      (await h.fetch("/ui/webview")).headers.get("content-security-policy"),
    );
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).not.toMatch(/<style|<script>|<[^>]+ style=/);
    expect(text.match(/<h1/g)).toHaveLength(1);
  });

  it.each(PAGES)("%s is found with a slash at its end", async (path) => {
    const { status, headers } = await h.fetch(`${path}/?part=1`, { redirect: "manual" });
    expect([status, headers.get("location")]).toEqual([301, expect.stringMatching(new RegExp(`${path}\\?part=1$`))]);
  });

  it("links what is there alone: pages, their parts, and endpoints", async () => {
    const pages = new Map(await Promise.all(PAGES.map(async (path) => [path, (await get(path)).text] as const)));
    const known = await operationIds();
    const others = new Set<string>();
    const broken: string[] = [];
    for (const [from, html] of pages) {
      for (const href of hrefsOf(html).filter((each) => each.startsWith("/"))) {
        const [path = "", part] = href.split("#");
        const page = pages.get(path);
        if (page === undefined) others.add(path);
        else if (part?.startsWith("/") && !known.has(part.split("/").at(-1))) broken.push(`${from}: ${href}`);
        else if (part && !part.startsWith("/") && !page.includes(`id="${part}"`)) broken.push(`${from}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
    for (const path of others) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it("loads what its pages name, and every picture of its style", async () => {
    const { text } = await get("/docs");
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, path = ""]) => path);
    const { text: style } = await get("/ui/reference.css");
    const pictures = [...style.matchAll(/url\((\/[^)]+)\)/g)].map(([, path = ""]) => path);
    expect(pictures.length).toBeGreaterThan(0);
    expect(style).not.toContain("data:image/svg");
    for (const path of new Set([...files, ...pictures])) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get("x-content-type-options")]).toEqual([path, 200, "nosniff"]);
    }
  });

  it("shows each guide's own text, with pictures", async () => {
    expect((await get("/docs/errors")).text).toContain("<code>PRECONDITION_FAILED</code>");
    expect((await get("/docs/looks")).text).toContain('src="/docs/looks.png"');
    const picture = await h.fetch("/docs/looks.png");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  it.each(["/docs/nothing", "/docs/nothing.png", "/docs/mark-zz.svg"])("has nothing at %s", async (path) => {
    const response = await h.fetch(path);
    expect([response.status, await response.json()]).toEqual([404, wrapped("NOT_FOUND")]);
  });
});
