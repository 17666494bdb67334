import { randomOf } from "../core/random.ts";
import type { Run } from "../worlds/run.ts";
import { LIMIT, type PolicyName, type Study, type WorldName } from "../worlds/study.ts";
import { intervalOf, mean } from "./statistics.ts";

/** Describes a bar, a target of the design: what was measured, and whether it is met. */
export type Bar = { what: string; bar: string; measured: string; met: boolean };

/** Returns the share of the oracle that a run earned, from a stretch on. */
export const shareOf = ({ got, best }: Run, from = 0): number =>
  got.slice(from).reduce((sum, value) => sum + value, 0) / best.slice(from).reduce((sum, value) => sum + value, 0);

/** Returns how many requests after its arrival a new offer had been shown a number of times; infinite if never. */
const requestsUntil = ({ showings }: Run, count: number): number => showings[count - 1] ?? Number.POSITIVE_INFINITY;

const percent = (share: number, digits = 2): string => `${(share * 100).toFixed(digits)} %`;

const sharesOf = (study: Study, world: WorldName, policy: PolicyName): number[] =>
  (study.get(world)?.get(policy) ?? []).map((run) => shareOf(run));

const stationaryBars = (study: Study, world: WorldName): Bar[] => {
  const runs = study.get(world)?.get("lanyap");
  if (!runs) return [];
  const shares = runs.map((run) => shareOf(run));
  const late = mean(runs.map((run) => shareOf(run, run.got.length / 2)));
  const worst = Math.min(...shares);
  return [
    { what: world, bar: "≥ 97 % of the oracle", measured: percent(mean(shares)), met: mean(shares) >= 0.97 },
    { what: `${world}, last half`, bar: "≥ 98.5 %", measured: percent(late), met: late >= 0.985 },
    { what: `${world}, worst seed`, bar: "≥ 95 %", measured: percent(worst), met: worst >= 0.95 },
  ];
};

const SHOWINGS = 1_000;
const WITHIN = 5_000;

const newcomerBars = (study: Study): Bar[] => {
  const runs = study.get("new best offer")?.get("lanyap");
  if (!runs) return [];
  const until = runs.map((run) => requestsUntil(run, SHOWINGS));
  const inTime = until.filter((requests) => requests <= WITHIN).length;
  return [
    {
      what: `new best offer gets ${SHOWINGS} showings within ${WITHIN} requests`,
      bar: "19 of 20 seeds",
      measured: `${inTime} of ${runs.length}, the last after ${Math.max(...until)}`,
      met: inTime >= 0.95 * runs.length,
    },
  ];
};

const betterBars = (study: Study, world: WorldName, least: number): Bar[] => {
  const shares = sharesOf(study, world, "lanyap");
  if (shares.length === 0) return [];
  const rivals = [...(study.get(world)?.keys() ?? [])].filter((policy) => policy !== "lanyap" && policy !== LIMIT);
  return [
    {
      what: world,
      bar: `≥ ${least * 100} % of the oracle`,
      measured: percent(mean(shares)),
      met: mean(shares) >= least,
    },
    ...rivals.map((rival): Bar => {
      const theirs = sharesOf(study, world, rival);
      const [low, high] = intervalOf(
        shares.map((share, i) => share - (theirs[i] ?? 0)),
        randomOf(1),
      );
      const measured = `${percent(low)} to ${percent(high)} more`;
      return { what: `${world}, better than ${rival}`, bar: "> 0", measured, met: low > 0 };
    }),
  ];
};

/** Compares a study with the bars of the design, for those of its worlds that have some. */
export const barsOf = (study: Study): Bar[] => [
  ...stationaryBars(study, "stationary, 20 offers"),
  ...stationaryBars(study, "stationary, 50 offers"),
  ...newcomerBars(study),
  ...betterBars(study, "sparse", 0.92),
  ...betterBars(study, "drifting", 0.9),
];

/** Returns what every policy earned in every world, with an interval over seeds. */
export const earnings = (study: Study): string[][] =>
  [...study].flatMap(([world, policies]) =>
    [...policies].map(([policy, runs]) => {
      const shares = runs.map((run) => shareOf(run));
      const [low, high] = intervalOf(shares, randomOf(2));
      const late = mean(runs.map((run) => shareOf(run, run.got.length / 2)));
      return [
        world,
        policy,
        percent(mean(shares)),
        `${percent(low)} to ${percent(high)}`,
        percent(late),
        percent(Math.min(...shares)),
      ];
    }),
  );
