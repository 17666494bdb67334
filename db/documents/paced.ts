import type { Candidate, NetworkDocument } from "./types.ts";

const NONE: ReadonlyMap<number, number> = new Map();

/** Maps the serials of paced offers to their steps. */
const stepsOf = (groups: readonly (readonly number[])[]): Map<number, number> => {
  const steps = new Map<number, number>();
  for (const [step = 0, ...gaps] of groups) {
    let serial = 0;
    for (const gap of gaps) steps.set((serial += gap), step);
  }
  return steps;
};

const known = new WeakMap<NetworkDocument, ReadonlyMap<number, number>>();

/** Returns the step of pacing at which an offer is shown, 0 for one that all sessions may see. */
export const paceStepOf = (network: NetworkDocument, { serial }: Pick<Candidate, "serial">): number => {
  let steps = known.get(network);
  if (!steps) {
    steps = network.paced && network.paced.length > 0 ? stepsOf(network.paced) : NONE;
    known.set(network, steps);
  }
  return steps.get(serial) ?? 0;
};
