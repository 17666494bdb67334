import { afterAll, beforeAll, describe as group, expect, it } from "vitest";
import { demo, demoConversionSecret } from "../../db/demo/network.ts";
import { describe } from "../../functions/description/describe.ts";
import { clientOf, curlOf, type Operation, type Shown } from "../../functions/docs/browser/examples.ts";
import { withRecentDays } from "../../functions/docs/browser/recent.ts";
import { compile, runProgram, writeProgram } from "../support/client.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";
import { openShell } from "../support/shell.ts";

// The reference shows an example of each operation for a shell and one for the client. Both are made of what the
// description has, and work with the demo network.

const { paths } = JSON.parse(withRecentDays(JSON.stringify(describe()), Date.now())) as {
  paths: Record<string, Record<string, Operation>>;
};

/** Says what is answered where an example needs more than the demo has: a creative, a click, a site without placements. */
const NEEDING_MORE: Record<string, string> = {
  getCreative: "404",
  updateCreative: "404",
  updateCreativeStatus: "404",
  deleteCreative: "404",
  reportConversion: "404",
  reverseConversion: "404",
  deleteSite: "403",
  deletePublisher: "403",
};

/** Lists what a customer's browser calls: URLs of an answer, which the client has and a command cannot make up. */
const OF_ANSWERS = ["reportDisplay", "sendDisplay", "reportClose", "sendClose", "followClick", "sendClick"];

let tokens: Record<string, string>;
beforeAll(async () => {
  tokens = {
    publicKey: demo.publicKey,
    publisherToken: demo.privateKey,
    platformToken: demo.platformToken,
    administratorToken: SECRETS.ADMIN_TOKEN,
    conversionSecret: await demoConversionSecret(demo.advertisers.brindlecup),
  };
});

/** Ranks operations by what they end: nothing, an old credential, what they delete, and last who asks. */
const rankOf = ({ operation, method, path }: Shown): number => {
  if (operation.operationId === "revokeToken") return 3;
  if (method === "delete" && !path.endsWith("/sessions")) return 2;
  return /\/(?:rotate|token|conversion-secret)$/.test(path) ? 1 : 0;
};

/** Lists all operations: what ends something comes late, and what is below goes before what it is in. */
const operations = (url: string): Shown[] => {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ operation, path, method, url, tokens })),
  );
  return [0, 1, 2, 3].flatMap((rank) => {
    const found = all.filter((one) => rankOf(one) === rank);
    return rank === 2 ? found.toReversed() : found;
  });
};

/** Lists what is answered otherwise than with a success, or than is told. */
const unexpected = (lines: readonly string[], told: Readonly<Record<string, string>>) =>
  lines.filter((line) => {
    const [id = "", answer = ""] = line.split(" ");
    return (told[id] ?? "done") !== (answer.startsWith("2") ? "done" : answer);
  });

group("days in examples", () => {
  it("are of the last three weeks, whenever they are read", () => {
    const sent = {
      parameters: [
        { name: "dateStart", in: "query", example: "20261101" },
        { name: "take", in: "query", example: 5 },
      ],
    };
    expect(JSON.parse(withRecentDays(JSON.stringify(sent), Date.UTC(2031, 0, 10)))).toEqual({
      parameters: [
        { name: "dateStart", in: "query", example: "20301220" },
        { name: "take", in: "query", example: 5 },
      ],
    });
  });
});

group("examples of the reference", () => {
  let h: Harness;
  beforeAll(async () => {
    h = await startHarness();
  });
  afterAll(() => h.close());

  it("for a shell are answered by the demo", async () => {
    const shell = await openShell();
    const all = operations(h.url);
    const commands = all.map((shown) =>
      curlOf(shown).replace("curl ", `curl -s -o /dev/null -w '${shown.operation.operationId} %{http_code}\\n' `),
    );
    const lines = (await shell.paste(commands.join("\n"))).trimEnd().split("\n");
    await shell.close();
    expect(lines.length).toBe(all.length);
    const refused = Object.fromEntries(OF_ANSWERS.map((id) => [id, "400"]));
    expect(unexpected(lines, { ...NEEDING_MORE, ...refused })).toEqual([]);
  });
});

group("examples of the client", () => {
  let h: Harness;
  beforeAll(async () => {
    h = await startHarness();
  });
  afterAll(() => h.close());

  it("compile, and are answered by the demo", async () => {
    const all = operations(h.url);
    const offers = all.find(({ path }) => path === "/api/odata");
    if (!offers) throw new Error("there is no getOffers");
    const written = all.map((shown) => {
      // A slow machine takes longer than a customer would wait.
      const code = clientOf(shown, offers).replace(/createClient\(\{ /, "createClient({ timeoutMs: 120_000, ");
      return writeProgram(`examples/${shown.operation.operationId}.ts`, `${code}\nexport {};\n`);
    });
    const programs = await Promise.all(written);
    for (const release of ["5.9", 7] as const) expect(await compile(release, programs)).toEqual([]);
    const names = all.map(({ operation }) => operation.operationId);
    const runner = await writeProgram(
      "examples/run.js",
      `const lines = [];
      for (const name of ${JSON.stringify(names)}) {
        const done = await import("./" + name + ".js").then(() => 200, (error) => error.status ?? String(error));
        lines.push(name + " " + done);
      }
      console.log(JSON.stringify(lines));`,
    );
    const lines = JSON.parse((await runProgram(runner)).at(-1) ?? "[]") as string[];
    expect(lines.length).toBe(all.length);
    expect(unexpected(lines, NEEDING_MORE)).toEqual([]);
  });
});
