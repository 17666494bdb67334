import { chdir } from "node:process";
import { ROOT } from "../../functions/local/wrangler.ts";
import { type Bench, createBench } from "./context.ts";
import { useOwnTemporaryFolder } from "./servers/folders.ts";
import { type Options, parseOptions, type PartName, USAGE } from "./options.ts";
import { leaveServerCore } from "./servers/processes.ts";
import { updateReadme } from "./readme.ts";
import {
  barsTable,
  describeMachine,
  markdown,
  type PartResult,
  readResults,
  type Recorded,
  writeResults,
} from "./report.ts";
import { Resources, stopOnSignals } from "./servers/resources.ts";

type Part = (bench: Bench) => Promise<PartResult>;

const LOADERS: Record<PartName, () => Promise<Part>> = {
  serving: async () => (await import("./parts/serving.ts")).serving,
  reads: async () => (await import("./parts/reads.ts")).reads,
  growth: async () => (await import("./parts/growth.ts")).growth,
  tracking: async () => (await import("./parts/tracking.ts")).tracking,
  bundle: async () => (await import("./parts/bundle.ts")).bundle,
  storefront: async () => (await import("./parts/storefront.ts")).storefront,
  clever: async () => (await import("./parts/clever.ts")).clever,
  soak: async () => (await import("./parts/soak.ts")).soak,
  simulation: async () => (await import("./parts/simulation.ts")).simulation,
};

const workers = new Resources();
const lasting = new Resources();

const commandOf = (name: PartName, { quick }: Options): string =>
  `npm run bench -- ${quick ? "--quick " : ""}--only ${name}`;

const show = (result: PartResult): void => {
  for (const table of result.tables) console.log(`\n${markdown(table)}`);
  if (result.skipped) console.log(`\nskipped: ${result.skipped}`);
  if (result.failure) console.error(`\nWRONG: ${result.failure}`);
};

const run = async (options: Options): Promise<boolean> => {
  const results: Record<string, Recorded> = {};
  const earlier = await readResults(options.json);
  const bench = createBench({ ...options, earlier }, workers, lasting);
  console.log(describeMachine());
  for (const name of options.only) {
    const startedAt = Date.now();
    console.log(`\n## ${name}`);
    const part = await LOADERS[name]();
    try {
      const result = await part(bench);
      show(result);
      const machine = describeMachine();
      results[name] = { ...result, at: new Date().toISOString(), machine, command: commandOf(name, options) };
      if (!result.skipped) earlier[name] = results[name];
    } finally {
      await workers.stopAll();
    }
    console.log(`\n(${((Date.now() - startedAt) / 1000).toFixed(0)} s)`);
  }
  const all = Object.values(results);
  const bars = all.flatMap((result) => result.bars);
  if (bars.length > 0) console.log(`\n${markdown(barsTable(bars))}`);
  console.log(`\n${describeMachine()}`);
  await writeResults(options.json, Object.fromEntries(Object.entries(results).filter(([, { skipped }]) => !skipped)));
  console.log(`figures: ${options.json}`);
  if (options.readme) await updateReadme(await readResults(options.json));
  return all.every((result) => result.failure === undefined);
};

chdir(ROOT);
stopOnSignals([workers, lasting]);
let options: Options;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
leaveServerCore();
useOwnTemporaryFolder();
try {
  if (!(await run(options))) process.exitCode = 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await workers.stopAll();
  await lasting.stopAll();
}
