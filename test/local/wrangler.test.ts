import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { wrangler } from "../../functions/local/wrangler.ts";

/** Makes a Worker of its own, with a command that builds its parts. */
const makeWorker = async ({ script, build }: { script: string; build: string }) => {
  const folder = await mkdtemp(join(tmpdir(), "lanyap-wrangler-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "parts.mjs"), build);
  await writeFile(join(folder, "worker.js"), script);
  await writeFile(
    join(folder, "wrangler.toml"),
    `name = "small"\nmain = "worker.js"\ncompatibility_date = "2026-01-01"\n[build]\ncommand = "node parts.mjs"\n`,
  );
  return folder;
};

const SCRIPT = "export default { fetch: () => new Response() };";

it("says why a part could not be built, in a few lines", async () => {
  const build = `console.log("a part is too large"); console.error("it has 9 KB of 8"); process.exit(1);`;
  const folder = await makeWorker({ script: SCRIPT, build });
  const failed = wrangler(["deploy", "--dry-run", "--outdir", "out"], folder);
  await expect(failed).rejects.toThrow(
    /^wrangler deploy failed:\n\n(?=[^]*a part is too large)(?=[^]*it has 9 KB of 8)(?:[^\n]+\n+){2}$/,
  );
});

it("says what of the Worker could not be bundled", async () => {
  const folder = await makeWorker({ script: `import "./missing.js";\n${SCRIPT}`, build: `console.log("built");` });
  const failed = wrangler(["deploy", "--dry-run", "--outdir", "out"], folder);
  await expect(failed).rejects.toThrow(/^wrangler deploy failed:\n[^]*Could not resolve "\.\/missing\.js"/);
});
