import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { describeError } from "../../../functions/core/log.ts";
import { emailHash, sessionHash } from "../../../functions/core/keyed-hash.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { mint } from "../../support/tracking/hits.ts";

const MARK = "marked-query-4711";
const EMAIL = "customer@marked.example";

let h: Harness;

beforeAll(async () => {
  h = await startHarness({ unavailable: ["EVENTS"] });
});
afterAll(() => h.close());

describe("no log line", () => {
  it("holds a query or a customer, whatever fails", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const { id, conversionSecret } = await makeAdvertiser(h.db);
    const { id: offerId } = await makeOffer(h.db, id);
    const hashes = {
      sessionHash: sessionHash(SECRETS.SESSION_KEY, MARK),
      emailHash: emailHash(SECRETS.SESSION_KEY, EMAIL),
    };
    const token = mint(offerId, { placementId: placement.id, ...hashes });
    const paths = [
      `/api/odata?publicKey=${publisher.publicKey}&placementId=${placement.id}&sessionId=${MARK}&at.email=${EMAIL}`,
      `/vdata?t=${token}&${MARK}`,
      `/close?t=${token}&${MARK}`,
      `/click?t=${token}&x=${MARK}`,
      `/click?t=${MARK}`,
      `/conversion?clickId=${MARK}&transactionId=${MARK}&secret=${conversionSecret}`,
      `/api/v1/offers?search=${MARK}`,
      `/api/site?search=${MARK}&include=relations`,
      `/health?deep=1&${MARK}`,
      `/nothing?${MARK}`,
    ];
    const ask = async () => {
      for (const path of paths) {
        for (const bearer of [SECRETS.ADMIN_TOKEN, publisher.privateKey, conversionSecret]) {
          const headers = {
            authorization: `Bearer ${bearer}`,
            referer: `https://shop.example/?${MARK}`,
            accept: "image/*",
          };
          await h.fetch(path, path.startsWith("/api/odata") ? {} : { headers, redirect: "manual" });
        }
      }
    };
    await ask();
    h.database.down = true;
    await ask();
    h.database.down = false;
    const logs = h.logs().join("\n");
    expect(logs).toContain("an event is only in this log");
    expect(logs).toContain("failed: ");
    for (const secret of [MARK, EMAIL, hashes.sessionHash, hashes.emailHash, conversionSecret, token]) {
      expect(logs).not.toContain(secret);
    }
  });

  it("tells the query of a URL in an error", () => {
    const error = new TypeError(`Fetch failed: https://partner.example/zones?key=${MARK} and /x?a=${MARK}&b=1`);
    const told = describeError(error);
    expect(told).toContain("https://partner.example/zones?…");
    expect(told).not.toContain(MARK);
  });

  it("is written from a URL, a query or headers", () => {
    const files = globSync("functions/**/*.ts", { exclude: (path) => /storefront|\/local$/.test(path) });
    const calls = files.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/console\.\w+\(([^]*?)\);\n/g)].map(([, call = ""]) => ({ path, call })),
    );
    expect(calls.length).toBeGreaterThan(10);
    // The parts of a line: its words are harmless.
    const parts = calls.flatMap(({ path, call }) =>
      [...call.matchAll(/\$\{([^}]*)\}/g)].map(([, part]) => `${path}: ${part}`),
    );
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((part) => /: .*(?:\burl\b|query|header|param|token|secret|email|session)/i.test(part))).toEqual(
      [],
    );
  });
});

it("invocation logs, which have whole URLs, are off, queries are cut in all others, and lines are sampled", () => {
  const config = readFileSync("wrangler.toml", "utf8");
  const section = (name: string) => config.split(`\n[${name}]\n`)[1]?.split("\n[")[0] ?? "";
  expect(section("observability")).toMatch(/^redact_query_string = true$/m);
  expect(section("observability.logs")).toMatch(/^invocation_logs = false$/m);
  for (const name of ["observability", "observability.logs"]) {
    expect(section(name)).toMatch(/^head_sampling_rate = 0\.\d+$/m);
  }
});

it("ids of requests are not taken for a query", () => {
  expect(describeError(new Error(`no answer for ${newId("request")}?`))).toContain("no answer for req_");
});
