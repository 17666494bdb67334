import type { Bar } from "../report/bars.ts";
import { mean } from "../report/statistics.ts";
import { runSplit, type SplitRun } from "./split.ts";

/** Names this world on the command line. */
export const CREATIVES = "creatives";

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Lists with how many creatives an offer is played, and how good its split has to be. */
const CASES = [
  { creatives: 2, least: 0.97 },
  { creatives: 4, least: 0.93 },
];

/** Plays offers with several creatives, and compares the learned split with equal shares. */
export const creativeBars = (runs: number, requests: number, seed: number): Bar[] =>
  CASES.flatMap(({ creatives, least }) => {
    const play = (isLearned: boolean): SplitRun[] =>
      Array.from({ length: runs }, (_, run) =>
        runSplit({ creatives, requests, batch: 250, days: 30, isLearned, seed: seed * 1_000 + run }),
      );
    const [learned, equal] = [play(true), play(false)];
    const share = mean(learned.map(({ ofBest }) => ofBest));
    const ahead = learned.filter(({ ofBest }, i) => ofBest > (equal[i]?.ofBest ?? 1)).length;
    const shown = mean(learned.map(({ bestShare }) => bestShare));
    const what = `${creatives} creatives`;
    return [
      { what, bar: `≥ ${least * 100} % of the best`, measured: percent(share), met: share >= least },
      {
        what: `${what}, better than equal shares`,
        bar: "19 of 20 seeds",
        measured: `${ahead} of ${runs}; equal shares ${percent(mean(equal.map(({ ofBest }) => ofBest)))}`,
        met: ahead >= 0.95 * runs,
      },
      {
        what: `${what}, the best one's sessions in the last half`,
        bar: `> ${percent(1 / creatives)}`,
        measured: percent(shown),
        met: shown > 1 / creatives,
      },
    ];
  });
