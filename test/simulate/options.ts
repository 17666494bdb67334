import { parseArgs } from "node:util";

/** Holds what the command line asks for: worlds to play, or a file to replay. */
export type Options = {
  quick: boolean;
  json: boolean;
  seed: number;
  /** Sets how many runs each world has, each with its own seed. */
  runs: number | undefined;
  /** Limits the run to worlds whose name begins with this. */
  only: string | undefined;
  /** Sets how many requests come in a world's time, or to a replayed test; undefined stands for the usual number. */
  requests: number | undefined;
  /** Sets the click rate of a typical offer at a typical place; undefined stands for the usual rate. */
  clickRate: number | undefined;
  replay: { file: string; requests: number; batch: number; tests: number | undefined } | null;
};

const DEFAULT_SEED = 1;

export const USAGE = `npm run simulate -- [options]
  --quick          fewer runs and requests, in about a minute
  --runs N         runs of each world, 20 by default, 3 with --quick
  --only NAME      only worlds whose name begins with NAME
  --requests N     requests that come in a world's time, or to each replayed test, 2 or more
  --click-rate R   click rate of a typical offer, 0.02 by default
  --seed S         changes all random draws, ${DEFAULT_SEED} by default
  --json           results as lines of JSON
  --replay FILE    replays tests from a file of rows test,arm,impressions,clicks
    --batch N      requests after which counts reach the decision, 250 by default
    --tests N      replays only N of the tests, always the same ones`;

const whole = (name: string, text: string, from = 1): number => {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number) || number < from)
    throw new TypeError(`--${name} must be a whole number from ${from}`);
  return number;
};

const chance = (name: string, text: string): number => {
  const number = Number(text);
  if (!(number > 0 && number < 0.5)) throw new TypeError(`--${name} must be a number between 0 and 0.5`);
  return number;
};

/** Tells whether all worlds are run in full: only then are pictures redrawn. */
export const isWholeRun = ({ quick, runs, only, requests, clickRate, seed }: Options): boolean =>
  !quick && [runs, only, requests, clickRate].every((given) => given === undefined) && seed === DEFAULT_SEED;

/**
 * Parses the command line.
 *
 * @throws {TypeError} when it is malformed
 */
export const parseOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      only: { type: "string" },
      runs: { type: "string" },
      "click-rate": { type: "string" },
      seed: { type: "string", default: String(DEFAULT_SEED) },
      replay: { type: "string" },
      requests: { type: "string" },
      batch: { type: "string", default: "250" },
      tests: { type: "string" },
    },
  });
  const { quick, json, only, runs, "click-rate": clickRate, replay, batch, tests } = values;
  const requests = values.requests === undefined ? undefined : whole("requests", values.requests, 2);
  if (replay !== undefined && requests === undefined) throw new TypeError("--replay needs --requests");
  return {
    quick,
    json,
    only,
    runs: runs === undefined ? undefined : whole("runs", runs),
    requests,
    clickRate: clickRate === undefined ? undefined : chance("click-rate", clickRate),
    seed: whole("seed", values.seed, 0),
    replay:
      replay === undefined || requests === undefined
        ? null
        : {
            file: replay,
            requests,
            batch: whole("batch", batch),
            tests: tests === undefined ? undefined : whole("tests", tests),
          },
  };
};
