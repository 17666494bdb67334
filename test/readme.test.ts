import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../db/demo/network.ts";
import type { Envelope } from "../functions/answer/envelope.ts";
import app from "../functions/app.ts";
import { startHarness, type Harness } from "./support/harness.ts";
import { brokenLinks, codeBelow, markdownFiles, readProjectFile, sectionOf, titlesOf } from "./support/markdown.ts";
import { openShell, type Shell, type ShellName } from "./support/shell.ts";

let h: Harness;
let shell: Shell;

beforeAll(async () => {
  [h, shell] = await Promise.all([startHarness(), openShell()]);
});
afterAll(async () => {
  await h.close();
  await shell.close();
});

/** Returns the shell block below a heading that holds a text, adapted to this Worker instead of a started one. */
const commandsOf = (path: string, title: string, holding = ""): string => {
  const block = codeBelow(readProjectFile(path), title, "sh").find((code) => code.includes(holding));
  if (block === undefined) throw new Error(`no commands below ${title} have ${holding}`);
  // Only `npm start` hands out the demo's token; its own test walks with that.
  return block.replaceAll("http://127.0.0.1:8787", h.url).replace(/\$\(curl .*demo\.json.*\)/, demo.platformToken);
};

const README = "README.md";
const API = "functions/routes/API.md";
const OPERATIONS = "functions/OPERATIONS.md";
const GUIDE = "functions/storefront/README.md";

describe("commands and examples", () => {
  it("ask for offers as the start says", async () => {
    const answer = JSON.parse(await shell.paste(commandsOf(README, "Start", "curl"))) as Envelope;
    expect(answer.offers).toHaveLength(4);
    expect(answer.siteStatus).toBe("active");
  });

  it("walk from a new publisher to its offers", async () => {
    const answer = JSON.parse(await shell.paste(commandsOf(API, "A publisher from nothing"))) as Envelope;
    expect(answer.offers).toHaveLength(4);
    expect(answer).toMatchObject({
      isTestMode: false,
      siteStatus: "active",
      templateData: { brandName: "Pine and Pebble" },
    });
    const [made] = await h.rows<{ name: string; status: string }>(
      "select p.name, s.status from publishers p join sites s on s.publisher_id = p.id where p.name like 'Pine and Pebble%'",
    );
    expect(made).toMatchObject({ status: "active" });
  });

  it.each<ShellName>(["sh", "bash"])("walk on to an offer, its click and its conversion, in %s", async (name) => {
    // Walks may happen in the same second, and a line break in an answer must not stop them.
    const commands =
      `${commandsOf(API, "A publisher from nothing")}\necho\n${commandsOf(API, "An offer and its conversion")}`
        .replaceAll("Pine and Pebble $", `Fir and Flint ${name} $`)
        .replaceAll("Juniper Coffee $", `Juniper ${name} $`)
        .replaceAll("order-77", `order-77-${name}`)
        .replace("Fresh beans, ", "Fresh beans,\\n");
    const printed = await shell.paste(commands, name);
    const told = JSON.parse(printed.split("\n").at(-1) ?? "") as { data: { state: string } };
    expect(["pending", "counted"]).toContain(told.data.state);
    const conversion = "select outcome from events where kind = 'conversion' and transaction_id = $1";
    expect(
      await h.until(
        () => h.rows(conversion, [`order-77-${name}`]),
        (rows) => rows.length > 0,
      ),
    ).toEqual([{ outcome: "counted" }]);
    const broken = "select description from offers where description like E'Fresh beans,\\n%'";
    expect(await h.rows(broken)).not.toEqual([]);
  });

  it.each(markdownFiles())("hand values on as they are, whatever the shell's echo makes of a backslash: %s", (path) => {
    const blocks = [...readProjectFile(path).matchAll(/^ *```sh\n([^]*?)```/gm)].map(([, code = ""]) => code);
    expect(blocks.join("").match(/echo .*\$.*/g) ?? []).toEqual([]);
  });

  it("show the same two lines to whoever reads the README or the guide", () => {
    const [readme] = codeBelow(readProjectFile(README), "On a shop's page", "html");
    expect(readme).toBe(codeBelow(readProjectFile(GUIDE), "The two lines", "html")[0]);
  });

  it("ask the database what to watch and what to restore by", async () => {
    const text = readProjectFile(OPERATIONS);
    // The statement of a numbered step is indented.
    const steps = [...sectionOf(text, "Restoring a database").matchAll(/```sql\n([^]*?)```/g)].map(([, code]) => code);
    const statements = [
      ...codeBelow(text, "What to watch", "sql"),
      ...codeBelow(text, "Rotating secrets", "sql"),
      ...steps,
    ];
    expect(statements.length).toBeGreaterThan(4);
    for (const statement of statements) await h.rows(statement ?? "");
    const [outbox] = await h.rows("select count(*)::int as waiting from publish_outbox");
    expect(outbox).not.toEqual({ waiting: 0 });
  });
});

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

describe("documents", () => {
  it.each(markdownFiles())("have links that lead somewhere: %s", (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });

  it("tell a deployment of every queue, namespace, secret and variable", () => {
    const config = readProjectFile("wrangler.toml");
    const names = (pattern: RegExp) => [...config.matchAll(pattern)].map(([, name = ""]) => name);
    const text = readProjectFile(OPERATIONS);
    const deploying = sectionOf(text, "Deploying");
    const queues = new Set(names(/^queue = "(.+)"$/gm));
    const secrets = [...(/^required = (\[.*\])$/m.exec(config)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(
      ([, name]) => name,
    );
    const variables = [...(/^\[vars\]\n((?:\w+ = .*\n)+)/m.exec(config)?.[1] ?? "").matchAll(/^\w+/gm)].map(String);
    expect([queues.size > 2, secrets.length > 4, variables.length > 2]).toEqual([true, true, true]);
    const namespaces = names(/^\[\[kv_namespaces\]\]\nbinding = "(.+)"$/gm);
    const inBrief = sectionOf(readProjectFile(README), "Deploying");
    const parts = [
      { names: namespaces, as: "KV namespaces" },
      { names: [...queues].toSorted(), as: "queues" },
      { names: secrets, as: "secrets" },
    ];
    const listed = parts.map(
      ({ names: all, as }) => `${NUMBERS[all.length]} ${as} (${all.map((name) => `\`${name}\``).join(", ")})`,
    );
    expect(listed.filter((list) => !inBrief.includes(list))).toEqual([]);
    const told = [
      ...[...queues].map((name) => `queues create ${name}\n`),
      ...namespaces.map((name) => `kv namespace create ${name}\n`),
      ...secrets.map((name) => `secret put ${name}\n`),
    ];
    expect(told.filter((command) => !deploying.includes(command))).toEqual([]);
    const settings = sectionOf(text, "Settings");
    expect([...secrets, ...variables].filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });

  it("tell every script and every dependency in CONTRIBUTING", () => {
    const text = readProjectFile("CONTRIBUTING.md");
    const { scripts, dependencies, devDependencies } = JSON.parse(readProjectFile("package.json")) as Record<
      "scripts" | "dependencies" | "devDependencies",
      Record<string, string>
    >;
    const short = new Set(["start", "test"]);
    const told = sectionOf(text, "Scripts");
    const commands = Object.keys(scripts).map((name) => `\`npm ${short.has(name) ? "" : "run "}${name}`);
    expect(commands.filter((command) => !told.includes(command))).toEqual([]);
    const reasons = sectionOf(text, "Dependencies");
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    expect(packages.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });
});

it("runs in tests the miniflare that wrangler brings", () => {
  const { devDependencies } = JSON.parse(readProjectFile("package.json")) as {
    devDependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(readProjectFile("package-lock.json")) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  expect(devDependencies["miniflare"]).toBe(packages["node_modules/wrangler"]?.dependencies?.["miniflare"]);
});

/** Returns what a test file's name has after the name of another file beside it; null where there is no such file. */
const suffixOf = (path: string, all: ReadonlySet<string>): string | null => {
  const words = path.split("-");
  const subject = words.findIndex((_, i) => i > 0 && all.has(words.slice(0, i).join("-")));
  return subject === -1 ? null : words.slice(subject).join("-");
};

it("tell every suffix of a test file, and no others", () => {
  const names = new Set(
    globSync("test/**/*.test.ts", { cwd: join(import.meta.dirname, "..") }).map((path) =>
      path.replace(/(?:\.isolated)?\.test\.ts$/, ""),
    ),
  );
  const used = [...names].flatMap((path) => suffixOf(path, names)?.split("-") ?? []);
  const table = sectionOf(readProjectFile("test/README.md"), "How they are arranged");
  const told = [...table.matchAll(/`-(\w+)`/g)].map(([, suffix = ""]) => suffix);
  expect(new Set(used)).toEqual(new Set(told));
});

/** Lists the endpoints that have a section in the API's document, and those that its table of pages names. */
const documented = (): Set<string> => {
  const text = readProjectFile(API);
  const pages = [...sectionOf(text, "Pages and files").matchAll(/`(GET \/[^`]*)`/g)].map(([, name = ""]) => name);
  return new Set([...titlesOf(text), ...pages].filter((title) => /^(?:GET|POST|PUT|PATCH|DELETE) \//.test(title)));
};

/** Lists the Worker's endpoints by the names that the document has for them. */
const served = (): Set<string> =>
  new Set(
    app.routes
      .filter(({ method }) => /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method))
      .map(({ method, path }) => `${method} ${path.replaceAll("\\", "").replace(/(?<=.)\/$/, "")}`),
  );

/**
 * Maps endpoints to the section that covers them: pages by their file's pattern, and the second method of an endpoint.
 */
const ELSEWHERE: Record<string, string> = {
  "GET /:file{embed.js(?:on)?}": "GET /embed.js",
  "GET /:file{embed.[0-9a-f]{16}.js(?:on)?}": "GET /embed.{hash}.js",
  "GET /icons/:file{[a-z0-9-]+.svg}": "GET /icons/{name}.svg",
  "GET /ui/:file{[a-z]+.(?:js|css)}": "GET /ui/{file}",
  "GET /docs/:guide{[a-z-]+}": "GET /docs/{guide}",
  "GET /docs/:file{[a-z-]+.(?:png|svg)}": "GET /docs/{picture}",
  "GET /console/*": "GET /console",
  "GET /console/:file{[w-]+.(?:js|css)}": "GET /console/{file}",
  "POST /vdata": "GET /vdata",
  "POST /close": "GET /close",
  "POST /click": "GET /click",
};

describe("the API's document", () => {
  it("has each error code with its status, and the shape that it usually has", () => {
    const table = [
      ...readProjectFile("functions/http/errors.ts").matchAll(/^  (\w+): \{ status: (\d+), shape: "(.)" \},$/gm),
    ];
    expect(table.length).toBeGreaterThan(10);
    const cells = sectionOf(readProjectFile(API), "Errors").replaceAll(/ +/g, " ");
    const rows = table.map(
      ([, code, status, shape]) => `| ${status} | \`${code}\` | ${shape === "A" ? "flat" : "wrapped"} |`,
    );
    expect(rows.filter((row) => !cells.includes(row))).toEqual([]);
  });

  it("has a section for each endpoint, and none for others", () => {
    const sections = documented();
    sections.delete("GET /embed.json");
    const endpoints = [...served()].map((name) => ELSEWHERE[name] ?? name);
    expect([...new Set(endpoints)].toSorted()).toEqual([...sections].toSorted());
  });
});
