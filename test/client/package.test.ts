import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  bundled,
  compile,
  installedClient,
  packageFile,
  runProgram,
  writeProgram,
  type Release,
} from "../support/client.ts";
import { makeInventory } from "../support/factories.ts";
import { sharedHarness, type Harness } from "../support/harness.ts";
import { readProjectFile } from "../support/markdown.ts";
import { startRuntime } from "../support/runtime/runtime.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const RELEASES: Release[] = ["5.9", 7];
const program = (name: string): Promise<string> =>
  writeProgram(`${name}.ts`, readFileSync(join(import.meta.dirname, "programs", `${name}.ts`), "utf8"));

describe("the package", () => {
  it("has types, licence and readme, and needs nothing", async () => {
    const { files } = await installedClient();
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "index.js", "index.d.ts", "operations.js"]));
    expect(files.filter((file) => !/\.(?:js|d\.ts)$|^(?:LICENSE|README\.md|package\.json)$/.test(file))).toEqual([]);
    const made = JSON.parse(await packageFile("package.json")) as Record<string, unknown>;
    const { version, license } = JSON.parse(readProjectFile("package.json")) as Record<string, unknown>;
    expect(made).toMatchObject({ name: "lanyap-client", version, license, sideEffects: false });
    expect(Object.keys(made).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
  });

  it("says what each method and member is, and leaves no type open", async () => {
    const types = await packageFile("types.d.ts");
    expect(types).toContain("Change a placement.");
    expect(types).toContain("Takes as its credential: publisher token.");
    expect(types).toContain("@throws {LanyapError} `VALIDATION_FAILED`");
    expect(types.match(/\bany\b(?=[;\])>|])/g)).toBeNull();
  });

  it("is small where few methods are used", async () => {
    const few = await bundled(
      `import { createClientOf } from "lanyap-client";
      import { getMe, listSites, updateSite } from "lanyap-client/operations";
      export const client = createClientOf({ url: "" }, { getMe, listSites, updateSite });`,
    );
    expect(few).toContain("/api/site");
    expect(few).not.toContain("/api/v1/advertisers");
  });
});

describe.each(RELEASES)("TypeScript %s", (release) => {
  it("takes what users may write, and it runs in plain Node", async () => {
    const path = await program("uses");
    expect(await compile(release, [path])).toEqual([]);
    const { publisher, placement } = await makeInventory(h.db);
    await writeProgram(
      "run.js",
      `process.argv = ${JSON.stringify(["", "", h.url, publisher.privateKey, publisher.publicKey, placement.id])};
      await import("./uses.js");`,
    );
    const [line] = await runProgram(path.replace("uses.ts", "run.js"));
    const facts = line?.split("; ");
    expect(facts?.[0]?.split(",").toSorted()[1]).toBe("Uses");
    expect(facts?.slice(1)).toEqual(["2", "2", "4", "0", "2", "Site uses-1", "publisher"]);
    expect(
      await h.rows(
        `select p.name, p.data->>'adDisplayDelay' as delay, s.order_volume as volume
        from placements p join sites s on s.id = p.site_id where s.name = 'Uses' and s.publisher_id = $1`,
        [publisher.id],
      ),
    ).toEqual([{ name: "Two", delay: "5", volume: null }]);
  });

  it("refuses each misuse", async () => {
    expect(await compile(release, [await program("misuses")])).toEqual([]);
    const text = readFileSync(join(import.meta.dirname, "programs/misuses.ts"), "utf8");
    const marks = [...text.matchAll(/@ts-expect-error/g)].length;
    const unmarked = await writeProgram("unmarked.ts", text.replaceAll("@ts-expect-error", "refused:"));
    expect(await compile(release, [unmarked])).toHaveLength(marks);
  });
});

it("walks from nothing to offers as its readme says", async () => {
  const readme = readProjectFile("functions/client/package/README.md");
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThan(5);
  // A slow machine takes longer than a customer would wait.
  const text = blocks.join("").replaceAll("createClient({ url,", "createClient({ url, timeoutMs: 120_000,");
  const path = await writeProgram("readme.ts", text.replaceAll("http://127.0.0.1:8787", h.url));
  for (const release of RELEASES) expect(await compile(release, [path])).toEqual([]);
  const lines = await runProgram(path.replace(/ts$/, "js"));
  expect(lines[0]).toMatch(/^4 offers, first: \w/);
  expect(lines.slice(1)).toEqual([
    "Thank you",
    "1 site",
    "changed meanwhile, now another version",
    "RESOURCE_NOT_FOUND true",
    "publisher",
  ]);
});

it("runs in a Worker", async () => {
  const { publisher, placement } = await makeInventory(h.db);
  const path = await writeProgram(
    "worker.js",
    `import { createClient } from "lanyap-client";
    export default { fetch: async () => {
      const options = ${JSON.stringify({ url: h.url, timeoutMs: 120_000 })};
      const lanyap = createClient({ ...options, token: ${JSON.stringify(publisher.privateKey)} });
      const shop = createClient({ ...options, token: ${JSON.stringify(publisher.publicKey)} });
      const names = [];
      for await (const { id } of lanyap.listPlacements({ take: 1 })) names.push(id);
      const asked = { placementId: names[0], sessionId: "s-1", at: { orderid: "1", country: "US" } };
      const { data } = await shop.getOffers(asked);
      const code = await lanyap.getSite("site_0").catch((error) => error.code);
      return Response.json([names, data.offers.length, code]);
    } };`,
  );
  const { runtime, stop } = await startRuntime({ env: {}, exports: {} }, path);
  const answer = await runtime.dispatchFetch("http://worker/");
  expect(await answer.json()).toEqual([[placement.id], 4, "RESOURCE_NOT_FOUND"]);
  await stop();
});

it("leaves the newest compiler under its usual name", () => {
  expect(realpathSync(join(import.meta.dirname, "../../node_modules/.bin/tsc"))).toContain("node_modules/typescript/");
});
