import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { breakingChanges, unannounced, type DiffReport } from "./breaking.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const FILE = "functions/description/openapi.json";

/** Runs Redocly's command, without telemetry or other messages to its makers. It fails if the command does. */
const redocly = async (...args: string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(root, "node_modules/@redocly/cli/bin/cli.js"), ...args], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
};

const git = async (...args: string[]): Promise<string> =>
  (await run("git", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout;

/** Returns the previous description: that of the last commit, or if that has this one, of the commit before. */
const before = async (now: string): Promise<string | null> => {
  try {
    const commits = (await git("log", "-n", "2", "--format=%H", "--", FILE)).trim().split("\n");
    for (const commit of commits.filter((hash) => hash !== "")) {
      const text = await git("show", `${commit}:${FILE}`);
      if (text !== now) return text;
    }
  } catch {
    // Without the project's history there is nothing to compare with.
  }
  return null;
};

const compare = async (now: string): Promise<string[]> => {
  const old = await before(now);
  if (old === null) return [];
  const folder = mkdtempSync(join(tmpdir(), "lanyap-description-"));
  try {
    writeFileSync(join(folder, "before.json"), old);
    const told = await redocly("diff", join(folder, "before.json"), FILE, "--format", "json", "--fail-on", "none");
    const changes = breakingChanges(JSON.parse(told) as DiffReport);
    return unannounced(changes, readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

// Checks the accepted description by Redocly's strict rules, and refuses a change that breaks clients unless CHANGELOG
// announces it.
try {
  await redocly("lint", FILE, "--format", "stylish");
  const problems = await compare(readFileSync(join(root, FILE), "utf8"));
  if (problems.length > 0) {
    console.error(
      `These changes break clients. Name each endpoint in CHANGELOG.md, "Unreleased":\n${problems.join("\n")}`,
    );
    process.exitCode = 1;
  }
} catch (error) {
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
  console.error(stdout === "" && stderr === "" ? error : `${stdout}${stderr}`);
  process.exitCode = 1;
}
