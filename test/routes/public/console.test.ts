import { beforeAll, describe, expect, it } from "vitest";
import { onError } from "../../../functions/http/errors.ts";
import { factory } from "../../../functions/http/factory.ts";
import { consolePages } from "../../../functions/routes/public/console.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const app = factory.createApp().route("/console", consolePages);
app.onError(onError);

const TOKENS = '[{"name":"Demo platform","token":"lan_plat_known"}]';

/** Asks the route where the demo's tokens are there, as only the build of `npm start` leaves them. */
const askDemo = async (address: string) => {
  const env = { ASSETS: { fetch: async () => new Response(TOKENS) } };
  const response = await app.request(new Request(address), {}, env);
  return [response.status, (await response.text()).includes("lan_plat_known")];
};

describe("the demo's tokens", () => {
  it.each(["http://127.0.0.1:8787", "http://localhost:8787", "http://[::1]:8787", "http://127.8.9.1"])(
    "are handed over on this machine: %s",
    async (origin) => {
      expect(await askDemo(`${origin}/console/demo.json`)).toEqual([200, true]);
    },
  );

  it.each([
    "https://offers.example",
    "http://192.168.1.7:8787",
    "http://127.0.0.1.offers.example",
    "https://localhost.offers.example",
    "http://0.0.0.0:8787",
    "http://[::2]:8787",
  ])("are not there for anybody else, though the file is: %s", async (origin) => {
    expect(await askDemo(`${origin}/console/demo.json`)).toEqual([404, false]);
  });

  it.each(["", "https://offers.example"])("are in no build but that of npm start: %s", async (origin) => {
    const response = await h.fetch(`${origin}/console/demo.json`);
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: "NOT_FOUND" } }]);
  });
});

describe("the page", () => {
  it("is the same at each of its addresses, under a policy that takes nothing inline", async () => {
    const texts = [];
    for (const path of ["/console", "/console/sites", "/console/offers/ofr_1/edit", "/console/no-such-screen"]) {
      const response = await h.fetch(path);
      const policy = response.headers.get("content-security-policy");
      expect([path, response.status, response.headers.get("cache-control")]).toEqual([path, 200, "no-cache"]);
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' /);
      expect(policy).not.toContain("unsafe");
      texts.push(await response.text());
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).not.toMatch(/<style|<script>| style=| on[a-z]+=|lan_/);
  });

  it("says what it is, in which language, and may be found: what Lighthouse looks for", async () => {
    const response = await h.fetch("/console");
    const html = await response.text();
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toMatch(
      /<meta charset="utf-8" \/>.*<meta name="viewport" content="width=device-width, initial-scale=1"/s,
    );
    expect(html).toMatch(/<meta name="description" content="[^"]{50,160}" \/>/);
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect([html.includes("noindex"), response.headers.get("x-robots-tag")]).toEqual([false, null]);
  });

  it("loads what never changes under its name", async () => {
    const html = await (await h.fetch("/console")).text();
    const loaded = [...html.matchAll(/ (?:href|src)="(\/console\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(loaded).toHaveLength(2);
    for (const path of loaded) {
      const response = await h.fetch(path);
      expect([path, response.status, response.headers.get("cache-control")]).toEqual([
        path,
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
    expect((await h.fetch("/console/app-OLDHASH1.js")).status).toBe(404);
  });
});
