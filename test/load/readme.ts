import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../functions/local/wrangler.ts";
import { PARTS } from "./options.ts";
import { barsTable, markdown, type Recorded } from "./report.ts";

const run = promisify(execFile);

const README = "test/load/README.md";

/** Names the parts whose figures stand in each block of the README, between marks of the block's name. */
const BLOCKS: Record<string, (part: string) => boolean> = {
  bench: (part) => part !== "simulation",
  simulation: (part) => part === "simulation",
};

/** Writes results as the README shows them: each part's tables with the command that made them, then all bars. */
const blockText = (results: readonly Recorded[]): string => {
  const sections = results.map(({ tables, command, at, machine }) =>
    [`\`${command}\`, ${at.slice(0, 10)}, ${machine}:`, ...tables.map(markdown)].join("\n\n"),
  );
  const bars = results.flatMap((result) => result.bars);
  return [...sections, ...(bars.length > 0 ? [markdown(barsTable(bars))] : [])].join("\n\n");
};

/**
 * Puts results into this folder's README, between marks such as `<!-- bench -->` and `<!-- /bench -->`.
 *
 * @throws {Error} when a mark is missing
 */
export const updateReadme = async (results: Record<string, Recorded>): Promise<void> => {
  const path = join(ROOT, README);
  let text = await readFile(path, "utf8");
  for (const [name, holds] of Object.entries(BLOCKS)) {
    const block = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
    if (!block.test(text)) throw new Error(`${README} has no marks <!-- ${name} --> and <!-- /${name} -->`);
    const shown = PARTS.filter(holds).flatMap((part) => results[part] ?? []);
    if (shown.length === 0) continue;
    text = text.replace(block, () => `<!-- ${name} -->\n\n${blockText(shown)}\n\n<!-- /${name} -->`);
  }
  await writeFile(path, text);
  await run(process.execPath, [join(ROOT, "node_modules/oxfmt/bin/oxfmt"), path]);
};
