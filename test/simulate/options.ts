import { parseArgs } from "node:util";

/** Holds what the command line asks for: worlds, or the replay of a file. */
export type Options = {
  quick: boolean;
  json: boolean;
  seed: number;
  /** Sets how many runs each world has, of different seeds. */
  runs: number | undefined;
  /** Takes only worlds whose name begins so. */
  only: string | undefined;
  replay: { file: string; requests: number; batch: number; tests: number | undefined } | null;
};

export const USAGE = `npm run simulate -- [options]
  --quick          fewer seeds and requests, within a minute
  --runs N         runs of each world, 20 by default, 3 with --quick
  --only NAME      only worlds whose name begins so
  --seed S         other chances, 1 by default
  --json           results as lines of JSON
  --replay FILE    replays tests from a file of rows test,arm,impressions,clicks
    --requests N   requests a test gets
    --batch N      requests after which counts reach the decision, 250 by default
    --tests N      so many of the tests, always the same ones`;

const whole = (name: string, text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new TypeError(`--${name} must be a whole number from 1`);
  return number;
};

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
      seed: { type: "string", default: "1" },
      replay: { type: "string" },
      requests: { type: "string" },
      batch: { type: "string", default: "250" },
      tests: { type: "string" },
    },
  });
  const { quick, json, only, runs, replay, requests, batch, tests } = values;
  if (replay !== undefined && requests === undefined) throw new TypeError("--replay needs --requests");
  return {
    quick,
    json,
    only,
    runs: runs === undefined ? undefined : whole("runs", runs),
    seed: whole("seed", values.seed),
    replay:
      replay === undefined
        ? null
        : {
            file: replay,
            requests: whole("requests", requests ?? ""),
            batch: whole("batch", batch),
            tests: tests === undefined ? undefined : whole("tests", tests),
          },
  };
};
