import { resolve } from "node:path";
import { inThreads } from "../core/parallel.ts";
import type { Policy } from "../core/policy.ts";
import { informedPolicy } from "../policies/informed.ts";
import { epsilonGreedyPolicy, uniformPolicy, upperBoundPolicy, weightedPolicy } from "../policies/rivals.ts";
import { servicePolicy } from "../policies/service.ts";
import { drifting, seedOf, stationary, TASTES, withNewcomer, type Size } from "./catalogue.ts";
import { runWorld, type Run } from "./run.ts";
import type { Tastes } from "./tastes.ts";
import type { World } from "./world.ts";

/** Lists the policies that are compared, the service's own first. */
const POLICIES = {
  lanyap: (seed) => servicePolicy({ seed }),
  "without favour": (seed) => servicePolicy({ seed, favoursNewcomers: false }),
  "pooled only": (seed) => servicePolicy({ seed, view: "pooled" }),
  "each cell alone": (seed) => servicePolicy({ seed, view: "apart" }),
  before: () => weightedPolicy(),
  random: () => uniformPolicy(),
  "ε-greedy": () => epsilonGreedyPolicy(),
  UCB: () => upperBoundPolicy(),
  informed: (_seed, tastes) => informedPolicy(tastes),
} satisfies Record<string, (seed: number, tastes: Tastes) => Policy>;

/** Names a policy of {@link studyOf}. */
export type PolicyName = keyof typeof POLICIES;

/** Names the policy that knows what no service can: it shows what could be found out, and is no rival. */
export const LIMIT: PolicyName = "informed";

const RIVALS: PolicyName[] = ["lanyap", "before", "random", "ε-greedy", "UCB"];

type Subject = { size: Omit<Size, "tastes">; make: (size: Size, seed: number) => World; policies: PolicyName[] };

/** Lists the worlds, and what is compared in each. */
const WORLDS = {
  "stationary, 20 offers": {
    size: { requests: 100_000, batch: 250, days: 30 },
    make: (size, seed) => stationary(20, size, seed),
    policies: RIVALS,
  },
  "stationary, 50 offers": {
    size: { requests: 100_000, batch: 250, days: 30 },
    make: (size, seed) => stationary(50, size, seed),
    policies: RIVALS,
  },
  "new best offer": {
    size: { requests: 40_000, batch: 250, days: 28 },
    make: (size, seed) => withNewcomer(20, size, seed),
    policies: ["lanyap", "without favour"],
  },
  sparse: {
    size: { requests: 100_000, batch: 1_000, days: 30 },
    make: (size, seed) => stationary(60, size, seed, 200, 10),
    policies: ["lanyap", "pooled only", "each cell alone", "before", "random", "ε-greedy", "UCB", LIMIT],
  },
  drifting: {
    size: { requests: 112_000, batch: 250, days: 56 },
    make: (size, seed) => drifting(size, seed),
    policies: RIVALS,
  },
} satisfies Record<string, Subject>;

/** Names a world of {@link studyOf}. */
export type WorldName = keyof typeof WORLDS;

/** Lists the names of all worlds. */
export const WORLD_NAMES = Object.keys(WORLDS) as WorldName[];

/** Sets by how much a quick run is shorter. */
const QUICK = 5;

/** Tells how many requests a run of a world has, unless others are asked for. */
export const requestsOf = (world: WorldName, quick: boolean): number =>
  WORLDS[world].size.requests / (quick ? QUICK : 1);

/** Says what is other than usual in the worlds of a study. */
export type Changed = { quick: boolean; requests: number | undefined; clickRate: number | undefined };

/** Describes what a thread does: one run of a world with a policy. */
export type RunTask = Changed & { world: WorldName; policy: PolicyName; seed: number; run: number };

/** Runs a world with a policy. Policies meet the same customers in runs of the same number. */
export const runTask = ({ world: name, policy, seed, run, ...changed }: RunTask): Run => {
  const { size, make }: Subject = WORLDS[name];
  const of = seedOf(WORLD_NAMES.indexOf(name), seed, run);
  const { requests = requestsOf(name, changed.quick), clickRate = TASTES.usual } = changed;
  const tastes = { ...TASTES, usual: clickRate };
  const world = make({ ...size, requests, tastes }, of);
  return runWorld(world, POLICIES[policy](of, tastes), of);
};

/** Maps worlds to the runs of their policies, each in the order of their numbers. */
export type Study = Map<WorldName, Map<PolicyName, Run[]>>;

/** Runs worlds with all their policies, in threads. */
export const studyOf = async (
  worlds: readonly WorldName[],
  { seed, runs, ...changed }: Changed & { seed: number; runs: number },
  onProgress: (share: number) => void,
): Promise<Study> => {
  const tasks = worlds.flatMap((world) =>
    WORLDS[world].policies.flatMap((policy) =>
      Array.from({ length: runs }, (_, run): RunTask => ({ ...changed, world, policy, seed, run })),
    ),
  );
  const thread = resolve(import.meta.dirname, "thread.ts");
  const done = await inThreads<Run>(thread, tasks, (count) => onProgress(count / tasks.length));
  const study: Study = new Map();
  for (const [i, { world, policy }] of tasks.entries()) {
    const policies = study.get(world) ?? new Map<PolicyName, Run[]>();
    const all = policies.get(policy) ?? [];
    const run = done[i];
    if (run) all.push(run);
    study.set(world, policies.set(policy, all));
  }
  return study;
};
