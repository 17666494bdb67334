import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { STRETCHES, type Run } from "../worlds/run.ts";
import type { PolicyName, Study, WorldName } from "../worlds/study.ts";
import { svgOf, type Line } from "./picture.ts";
import { mean, quantile } from "./statistics.ts";

const COLORS: Record<PolicyName, string> = {
  lanyap: "#0a7d4f",
  "without favour": "#c2410c",
  "pooled only": "#7c3aed",
  "each cell alone": "#be185d",
  before: "#6b7280",
  random: "#9ca3af",
  "ε-greedy": "#b45309",
  UCB: "#1d4ed8",
  informed: "#0e7490",
};

const NAMES: Partial<Record<WorldName, string>> = {
  "stationary, 20 offers": "stationary-20",
  "stationary, 50 offers": "stationary-50",
  sparse: "sparse",
  drifting: "drifting",
};

const shares = (policy: PolicyName, runs: readonly Run[], requests: number): Line => ({
  name: policy,
  color: COLORS[policy],
  points: Array.from({ length: STRETCHES }, (_, i) => [
    ((i + 1) / STRETCHES) * requests,
    100 * mean(runs.map(({ got, best }) => (got[i] ?? 0) / (best[i] ?? 1))),
  ]),
});

/** Sets how many requests after its arrival the picture of a newcomer's start covers. */
const START_REQUESTS = 6_000;

const showingsAt = ({ showings }: Run, requests: number): number => showings.filter((at) => at <= requests).length;

const starts = (policy: PolicyName, runs: readonly Run[]): Line[] => {
  const at = Array.from({ length: 41 }, (_, i) => (i * START_REQUESTS) / 40);
  const color = COLORS[policy];
  const line = (of: readonly Run[]): Line["points"] =>
    at.map((requests) => [
      requests,
      quantile(
        of.map((run) => showingsAt(run, requests)),
        0.5,
      ),
    ]);
  return [
    ...runs.map((run): Line => ({ name: "", color, isThin: true, points: line([run]) })),
    { name: policy, color, points: line(runs) },
  ];
};

/**
 * Writes pictures of a study into a folder: the share of the oracle over requests in each world, and how often a new
 * best offer was shown since its arrival, for all seeds and their median.
 *
 * @param requests tells how many requests a run of a world has
 */
export const writePictures = async (folder: string, study: Study, requests: (world: WorldName) => number) => {
  await mkdir(folder, { recursive: true });
  for (const [world, policies] of study) {
    const name = NAMES[world];
    if (name === undefined) continue;
    const most = requests(world);
    const svg = svgOf({
      title: `Share of the oracle: ${world}`,
      x: { name: "requests", most, step: most / 4 },
      y: { name: "of the oracle", most: 100, step: 20, unit: " %" },
      lines: [...policies].map(([policy, runs]) => shares(policy, runs, most)),
    });
    await writeFile(join(folder, `${name}.svg`), svg);
  }
  const newcomer = study.get("new best offer");
  if (!newcomer) return;
  const svg = svgOf({
    title: "A new best offer's start: showings in each run, and their median",
    x: { name: "requests since it came", most: START_REQUESTS, step: 1_000 },
    y: { name: "showings", most: 3_000, step: 1_000, unit: "" },
    lines: [...newcomer].flatMap(([policy, runs]) => starts(policy, runs)),
  });
  await writeFile(join(folder, "newcomer.svg"), svg);
};
