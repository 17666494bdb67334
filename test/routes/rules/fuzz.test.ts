import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { problemOf } from "../../support/fuzz/judge.ts";
import { plan, type Plan } from "../../support/fuzz/plans.ts";
import { readyOf, TARGETS, type Scene, type Target } from "../../support/fuzz/targets.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { makeWorld } from "../../support/routes/every-route.ts";

/** Makes the same requests each time; `FUZZ_SEED` makes others. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_122);
const REQUESTS = 5_000;
const ROUNDS = Math.ceil(REQUESTS / TARGETS.length);

/** Limits how many rounds are under way at the same time. */
const CONCURRENCY = 10;

/** Limits the whole by more than a machine takes that is busy with all else. */
const LIMIT_MS = 900_000;

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const makeScene = async (): Promise<Scene> => {
  const asked = { publicKey: demo.publicKey, placementId: demo.placements.live, "at.country": "US" };
  const [world, { offers }] = await Promise.all([makeWorld(h), askOffers(h, asked)]);
  const [served] = offers;
  if (!served) throw new Error("nothing was served");
  return { world, served };
};

/** Sends what a plan makes, and tells what is wrong with the answer. */
const judge = async (planned: Plan, target: Target, scene: Scene): Promise<string[]> => {
  const ready = readyOf(planned, target, scene);
  const { method, path, headers, body } = ready;
  const answer = await h.fetch(path, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  const problem = problemOf(ready, answer, text);
  if (problem === null) return [];
  return [
    [`${target.name}: ${problem}`, `${answer.status} ${text.slice(0, 300)}`, method, path, headers, body]
      .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      .join("\n  "),
  ];
};

it(
  "5,000 requests, valid and hostile, are answered in the right shape and without a failure",
  async () => {
    const plans = fc.sample(plan, { seed: SEED, numRuns: ROUNDS * TARGETS.length });
    expect(plans.length).toBeGreaterThanOrEqual(REQUESTS);
    const problems: string[] = [];
    // Each round has a world of its own, and asks each endpoint once: nobody else needs what it deletes.
    const rounds = Array.from({ length: ROUNDS }, (_, i) => i);
    const work = async (): Promise<void> => {
      for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
        const scene = await makeScene();
        for (const [i, target] of TARGETS.entries()) {
          const planned = plans[round * TARGETS.length + i];
          if (planned) problems.push(...(await judge(planned, target, scene)));
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    expect(problems).toEqual([]);
  },
  LIMIT_MS,
);

it("its requests are the same each time", () => {
  const [first, again] = [0, 1].map(() => fc.sample(plan, { seed: SEED, numRuns: 50 }));
  expect(again).toEqual(first);
});
