import { parseArgs } from "node:util";

/** Lists the parts that can be run by themselves, in the order of a full run. */
export const PARTS = [
  "serving",
  "reads",
  "growth",
  "tracking",
  "bundle",
  "storefront",
  "clever",
  "soak",
  "simulation",
] as const;
export type PartName = (typeof PARTS)[number];

export type Options = { quick: boolean; only: PartName[]; json: string; soakSeconds: number; readme: boolean };

export const USAGE = `npm run bench -- [options]
  --quick           short rounds, all parts within 60 s
  --only NAME       one part (repeat for several): ${PARTS.join(", ")}
  --json FILE       where figures are kept, dist/bench.json by default
  --soak SECONDS    how long the soak takes, 60 by default, 2 with --quick
  --readme          measures, and then puts all figures kept into test/load/README.md
PEER_URL=… is measured along with serving: {n} in it becomes another number in each request.`;

const isPart = (name: string): name is PartName => PARTS.some((part) => part === name);

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
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string", default: "dist/bench.json" },
      soak: { type: "string" },
      readme: { type: "boolean", default: false },
    },
  });
  const unknown = values.only.find((name) => !isPart(name));
  if (unknown !== undefined) throw new TypeError(`there is no part ${unknown}`);
  const soakSeconds = Number(values.soak ?? (values.quick ? 2 : 60));
  if (!Number.isInteger(soakSeconds) || soakSeconds < 1) throw new TypeError("--soak must be whole seconds");
  const only = values.only.filter(isPart);
  return { ...values, only: only.length > 0 ? only : [...PARTS], soakSeconds };
};
