import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import pg from "pg";
import { requireFreePort } from "../../functions/local/ports.ts";
import { makeDatabase } from "../support/database/database.ts";
import { lastingPort } from "../support/runtime/lasting-port.ts";
import { walk } from "../support/shell.ts";

const project = resolve(import.meta.dirname, "../..");
let copy: string;
let port: number;
const running = new Set<ChildProcess>();

/** Runs the start script in the copy; `output` grows, `said` waits for a text in it, `ended` gives the exit code. */
const start = (environment: Record<string, string> = {}, given: readonly string[] = [], by?: "npm") => {
  const command = by ? [by, "start"] : [process.execPath, "functions/local/start.ts", ...given];
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: copy,
    env: { ...process.env, DATABASE_URL: "", PORT: String(port), ...environment },
  });
  running.add(child);
  let output = "";
  const ended = once(child, "close").then(([code]: unknown[]) => {
    running.delete(child);
    return code;
  });
  const said = async (text: string) =>
    new Promise<void>((found, fail) => {
      const look = () => output.includes(text) && found();
      child.stdout.on("data", look);
      void ended.then(() => fail(new Error(`ended before it said ${text}:\n${output}`)));
      look();
    });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
  return { child, ended, said, output: () => output };
};

/** Asks the started service under another name of its host, which `fetch` does not do. */
const askAs = async (host: string, path: string) => {
  const [response] = (await once(get({ host: "127.0.0.1", port, path, headers: { host } }), "response")) as [
    IncomingMessage,
  ];
  return { status: response.statusCode, text: await textOf(response) };
};

/** Puts into wrangler.toml what a deployment puts there, none of which may reach who runs the service at home. */
const asDeployed = (config: string): string => {
  const routes = 'routes = [{ pattern = "offers.example", custom_domain = true }]';
  const told = config
    .replace('PUBLIC_URL = ""', 'PUBLIC_URL = "https://offers.example"')
    .replace('PARTNER_ZONE_URL = ""', 'PARTNER_ZONE_URL = "https://partner.example/zones"');
  return `${routes}\n${told}`;
};

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "lanyap #%20start-"));
  for (const name of ["db", "functions", "package.json", "tsconfig.json", "wrangler.toml", ".dev.vars.example"]) {
    cpSync(join(project, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  const config = join(copy, "wrangler.toml");
  writeFileSync(config, asDeployed(readFileSync(config, "utf8")));
  port = await lastingPort();
});
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
});

// A busy machine needs minutes for a start, and a test starts up to three times.
describe("npm start", { timeout: 900_000 }, () => {
  it("runs everything, prints a request that returns offers, and stops clean", async () => {
    const first = start();
    await first.said("at.currency=USD'");
    const [, key, url] = /Bearer (\S+)' \\\n\s+'(\S+)'/.exec(first.output()) ?? [];
    const response = await fetch(url ?? "", { headers: { authorization: `Bearer ${key}` } });
    const answer = await response.text();
    expect(JSON.parse(answer)).toMatchObject({ offers: { length: 4 } });
    expect(answer).toContain(`http://127.0.0.1:${port}/click`);
    expect(answer).not.toContain("offers.example");
    const printed = await walk(`http://127.0.0.1:${port}`);
    expect(printed).toContain('"siteStatus":"active"');
    expect(printed).toMatch(/"state":"(?:pending|counted)"/);

    const demo = await fetch(`http://127.0.0.1:${port}/console/demo.json`);
    const told = await demo.json<Record<"name" | "token", string>[]>();
    expect(told.map(({ name }) => name)).toEqual(["Demo publisher", "Demo platform", "Administrator"]);
    for (const { token } of told) expect(first.output()).toContain(token);
    const elsewhere = await askAs("offers.example", "/console/demo.json");
    expect(elsewhere.status).toBeGreaterThanOrEqual(400);
    for (const { token } of told) expect(elsewhere.text).not.toContain(token);

    const samePort = start();
    expect(await samePort.ended).toBe(1);
    expect(samePort.output()).toBe(
      `lanyap: port ${port} is already in use; choose another one: PORT=${port + 1} npm start\n`,
    );
    const sameData = start({ PORT: String(await lastingPort()) });
    expect(await sameData.ended).toBe(1);
    expect(sameData.output()).toContain(`another Lanyap (process ${first.child.pid}) is using this data`);

    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    await requireFreePort(port);
  });

  it("starts again after it was killed, and stops on Ctrl-C that comes twice", async () => {
    const killed = start();
    await killed.said("at.currency=USD'");
    killed.child.kill("SIGKILL");
    await killed.ended;
    await expect.poll(async () => requireFreePort(port).then(() => "free"), { timeout: 180_000 }).toBe("free");

    const next = start();
    await next.said("at.currency=USD'");
    next.child.kill("SIGINT");
    next.child.kill("SIGINT");
    expect(await next.ended).toBe(0);
    await requireFreePort(port);
  });

  it("rebuilds the Worker after a change in db/, with the routines that it calls", async () => {
    const started = start();
    await started.said("at.currency=USD'");
    const [, key, url = ""] = /Bearer (\S+)' \\\n\s+'(\S+)'/.exec(started.output()) ?? [];
    const [, token] = /private key\s+(lan_sk_\S+)/.exec(started.output()) ?? [];
    const ask = async (path: string, bearer: string | undefined, status?: string) => {
      const init: RequestInit = status ? { method: "PATCH", body: JSON.stringify({ status }) } : {};
      const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
      return (await fetch(new URL(path, url), { ...init, headers })).json<{
        data: { siteId: string };
        siteStatus: string;
      }>();
    };
    const { data: placement } = await ask(`/api/placements/${new URL(url).searchParams.get("placementId")}`, token);

    const path = join(copy, "db/documents/inventory.ts");
    const before = readFileSync(path, "utf8");
    const after = before.replace("'siteStatus', s.status", "'siteStatus', 'changed'");
    expect(after).not.toBe(before);
    writeFileSync(path, after);
    // A switch has the placement's document rebuilt, by the routine of the Worker that answers.
    let status = "active";
    const siteStatus = async (): Promise<string> => {
      status = status === "active" ? "inactive" : "active";
      await ask(`/api/site/${placement.siteId}/status`, token, status);
      return (await ask(url, key)).siteStatus;
    };
    await expect.poll(async () => siteStatus().catch(String), { timeout: 600_000, interval: 2_000 }).toBe("changed");
    writeFileSync(path, before);
    started.child.kill("SIGTERM");
    expect(await started.ended).toBe(0);
  });

  it.each([
    [[], "Make a platform of your own:", 0, "To add it all the same: npm start -- --demo"],
    [["--demo"], "Ask for offers for an order:", 1, "private key     lan_sk_"],
  ])("gives a database that is not on this machine no demo keys unless asked: %j", async (given, said, keys, line) => {
    // Leads to this machine, but is none of its loopback addresses.
    const url = (await makeDatabase()).replace("127.0.0.1", "0.0.0.0");
    const remote = start({ DATABASE_URL: url }, given);
    await remote.said(said);
    expect(remote.output()).toContain(line);
    expect((await fetch(`http://127.0.0.1:${port}/demo`)).status).toBe(keys > 0 ? 200 : 404);
    remote.child.kill("SIGTERM");
    expect(await remote.ended).toBe(0);
    const pool = new pg.Pool({ connectionString: url });
    const count = async (table: string) =>
      (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n;
    const counted = [await count("api_tokens"), await count("public_keys"), await count("platform_tokens")];
    expect(counted).toEqual([keys, keys, keys]);
    expect(await count("categories")).toBeGreaterThan(100);
    await pool.end();
  });

  it("stops everything when npm alone is told to end", async () => {
    const byNpm = start({}, [], "npm");
    await byNpm.said("at.currency=USD'");
    byNpm.child.kill("SIGTERM");
    await byNpm.ended;
    await expect.poll(async () => requireFreePort(port).then(() => "free"), { timeout: 180_000 }).toBe("free");
    const lock = join(copy, ".data", "postgres.lock");
    await expect.poll(() => existsSync(lock), { timeout: 180_000 }).toBe(false);
  });

  it("refuses data that looks damaged, and changes nothing", async () => {
    const data = join(copy, ".data");
    mkdirSync(data, { recursive: true });
    renameSync(data, `${data}.kept`);
    const folder = join(data, "postgres");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "postgresql.conf"), "");
    const failed = start();
    expect(await failed.ended).toBe(1);
    expect(failed.output()).toContain(`lanyap: ${folder} looks damaged: PG_VERSION is missing.`);
    expect(readdirSync(folder)).toEqual(["postgresql.conf"]);
    rmSync(data, { recursive: true });
    renameSync(`${data}.kept`, data);
  });

  it("ends with the name of a variable of wrangler.toml that is wrong", async () => {
    const path = join(copy, "wrangler.toml");
    const right = readFileSync(path, "utf8");
    writeFileSync(path, right.replace('DOCUMENT_FRESH_MS = "5000"', 'DOCUMENT_FRESH_MS = "abc"'));
    const failed = start();
    expect(await failed.ended).toBe(1);
    writeFileSync(path, right);
    expect(failed.output()).toContain(
      "lanyap: the Worker refuses its settings DOCUMENT_FRESH_MS; set them right in wrangler.toml.",
    );
  });

  it.each([
    [{ PORT: "x" }, /^lanyap: PORT must be a number from 1 to 65535, not x\.\n$/],
    [{ DATABASE_URL: "mysql://u:hunter2@h/d" }, /^lanyap: DATABASE_URL must begin with postgres:\/\/.*\n$/],
    [
      { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/d" },
      /\nlanyap: cannot connect to the Postgres of DATABASE_URL .*\n$/,
    ],
  ])("ends on %j with one clear line", async (environment, message) => {
    const failed = start(environment);
    expect(await failed.ended).toBe(1);
    expect(failed.output()).toMatch(message);
    expect(failed.output()).not.toContain("hunter2");
  });
});
