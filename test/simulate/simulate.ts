import { resolve } from "node:path";
import { isWholeRun, type Options, parseOptions, USAGE } from "./options.ts";
import { creativeBars, CREATIVES } from "./creatives/bars.ts";
import { PACING_COLUMNS, pacingBarsOf, pacingRows, pacingStudyOf } from "./pacing/study.ts";
import { replayFile } from "./replay/run.ts";
import { barsOf, earnings, type Bar } from "./report/bars.ts";
import { table } from "./report/markdown.ts";
import { writePictures } from "./report/pictures.ts";
import { FORECAST_WORLD, forecastBars } from "./worlds/forecast-study.ts";
import { HELD_OUT_WORLDS, heldOutBars } from "./worlds/held-out-study.ts";
import { requestsOf, studyOf, WORLD_NAMES } from "./worlds/study.ts";

/** Reports progress on the standard error, once for each twentieth of a run. */
const progressOf = (name: string) => {
  let told = 0;
  return (share: number): void => {
    if (Math.floor(share * 20) <= told) return;
    told = Math.floor(share * 20);
    console.error(`${name}: ${Math.round(share * 100)} %`);
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const replay = async ({ file, requests, batch, tests }: NonNullable<Options["replay"]>, { seed, json }: Options) => {
  const lines = await replayFile(file, tests, { requests, batch, seed }, progressOf("replay"));
  for (const line of lines) {
    const { policy, ofOracle, ofOracleLastHalf, overUniform } = line;
    const told = `${policy.padEnd(16)} ${percent(ofOracle)} of the oracle, ${percent(ofOracleLastHalf)} in the last half, ${overUniform.toFixed(3)} times uniform`;
    console.log(json ? JSON.stringify(line) : told);
  }
};

const RUNS = 20;
const QUICK_RUNS = 3;
const PICTURES = resolve(import.meta.dirname, "pictures");

/** Names the world in which offers are paced. */
const PACING = "pacing";

/** Prints what was measured, and whether it meets the bars. */
const print = (columns: readonly string[], measured: string[][], bars: readonly Bar[], json: boolean): void => {
  if (json) {
    for (const bar of bars) console.log(JSON.stringify(bar));
    return;
  }
  if (columns.length > 0) console.log(`${table(columns, measured)}\n`);
  const rows = bars.map(({ what, bar, measured: result, met }) => [what, bar, result, met ? "met" : "NOT met"]);
  console.log(`${table(["what", "bar", "measured", ""], rows)}\n`);
};

/** Runs the worlds and prints the results. Only whole runs redraw the pictures. */
const simulate = async (given: Options) => {
  const { quick, only, requests, clickRate, seed, json, runs: asked } = given;
  const runs = asked ?? (quick ? QUICK_RUNS : RUNS);
  const isWanted = (name: string) => only === undefined || name.startsWith(only);
  const [worlds, heldOut] = [WORLD_NAMES.filter(isWanted), HELD_OUT_WORLDS.filter(isWanted)];
  const names = [...WORLD_NAMES, ...HELD_OUT_WORLDS, FORECAST_WORLD, PACING, CREATIVES];
  if (!names.some(isWanted)) throw new Error(`there is no such world; there are: ${names.join("; ")}`);
  if (isWanted(PACING)) {
    const paced = await pacingStudyOf({ seed, runs }, progressOf(PACING));
    print(PACING_COLUMNS, pacingRows(paced), pacingBarsOf(paced), json);
  }
  if (isWanted(CREATIVES)) print([], [], creativeBars(runs, quick ? 4_000 : 20_000, seed), json);
  if (isWanted(FORECAST_WORLD)) {
    print([], [], await forecastBars({ seed, quick, runs: asked }, progressOf(FORECAST_WORLD)), json);
  }
  if (worlds.length + heldOut.length === 0) return;
  const study = await studyOf(worlds, { seed, quick, runs, requests, clickRate }, progressOf("worlds"));
  const held = await heldOutBars(heldOut, { seed, quick, runs: asked }, progressOf("holdout"));
  const columns = ["world", "policy", "of the oracle", "95 % of means", "last half", "worst seed"];
  print(columns, earnings(study), [...barsOf(study), ...held], json);
  if (isWholeRun(given)) await writePictures(PICTURES, study, (world) => requestsOf(world, quick));
};

let options: Options;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
try {
  if (options.replay) await replay(options.replay, options);
  else await simulate(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
