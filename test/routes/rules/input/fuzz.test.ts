import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import app from "../../../../functions/app.ts";
import { DESCRIBED, type Target } from "../../../support/fuzz/described.ts";
import { inTime } from "../../../support/fuzz/in-time.ts";
import { problemOf } from "../../../support/fuzz/judge.ts";
import { PAGES } from "../../../support/fuzz/pages.ts";
import { plan, type Plan } from "../../../support/fuzz/plans.ts";
import { readyOf } from "../../../support/fuzz/ready.ts";
import { makeScene, type Scene } from "../../../support/fuzz/scene.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

/** Makes the same requests each time; `FUZZ_SEED` makes others. */
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_122);
const REQUESTS = 5_000;
const TARGETS = [...PAGES, ...DESCRIBED];
const ROUNDS = Math.ceil(REQUESTS / TARGETS.length);

/** Limits how many rounds are under way at the same time. */
const CONCURRENCY = 10;

/** Limits how long an answer may take. A busy machine may miss that for some requests, but not for every try of one. */
const PATIENCE = { limitMs: 5_000, pausesMs: [0, 1_000, 5_000, 15_000] };

/** Limits the whole test to more time than a very busy machine takes. */
const LIMIT_MS = 900_000;

/** Lists operations that never refuse a request. */
const ALWAYS_DONE = new Set(["GET /health", "GET /"]);

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const tell = (...parts: unknown[]): string =>
  parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("\n  ");

/** Makes a function that sends the request of a plan, and tells what is wrong with the answer. */
const judging = (planned: Plan, target: Target, scene: Scene, seen: Set<string>) => {
  const ready = readyOf(planned, target, scene);
  const { method, path, headers, body } = ready;
  const init = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) };
  const ask = async (): Promise<string[] | null> => {
    const answer = await h.fetch(path, init);
    const text = await answer.text();
    // The database had no time for this request. Sent again alone, it will.
    if (answer.status === 503) return null;
    if (method === target.method) seen.add(`${target.name} ${answer.status < 400 ? "done" : "refused"}`);
    const problem = problemOf(ready, answer, text);
    if (problem === null) return [];
    const told = `${answer.status} ${text.slice(0, 300)}`;
    return [tell(`${target.name}: ${problem}`, told, method, path, headers, body)];
  };
  return { name: tell(target.name, method, path, headers, body), ask };
};

it(
  "5,000 requests, valid and hostile, are answered in the right shape and without a failure",
  async () => {
    const plans = fc.sample(plan, { seed: SEED, numRuns: ROUNDS * TARGETS.length });
    expect(plans.length).toBeGreaterThanOrEqual(REQUESTS);
    const problems: string[] = [];
    const seen = new Set<string>();
    const answers = inTime(PATIENCE);
    // Each round has a world of its own, and asks each endpoint once: nobody else needs what it deletes.
    const rounds = Array.from({ length: ROUNDS }, (_, i) => i);
    const work = async (): Promise<void> => {
      for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
        const scene = await makeScene(h);
        for (const [i, target] of TARGETS.entries()) {
          const planned = plans[round * TARGETS.length + i];
          if (!planned) continue;
          const { name, ask } = judging(planned, target, scene, seen);
          problems.push(...(await answers.ask(name, ask)));
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    problems.push(...(await answers.askAgain()));
    expect(problems).toEqual([]);
    // Requests that were all refused, or all taken, would say little.
    const wanted = DESCRIBED.flatMap(({ name }) =>
      ALWAYS_DONE.has(name) ? [`${name} done`] : [`${name} done`, `${name} refused`],
    );
    expect(wanted.filter((name) => !seen.has(name))).toEqual([]);
  },
  LIMIT_MS,
);

it("asks every route of the service", () => {
  const names = TARGETS.map(({ name }) => name.replaceAll(/\{\w+\}/g, "id"));
  const served = app.routes.filter(({ method }) => method !== "ALL" && method !== "OPTIONS");
  const missed = served.filter(({ method, path }) => {
    // A parameter is what its own pattern says, or one part of the path.
    const pattern = path
      .split("/")
      .map((part) => (part.startsWith(":") ? (/\{(.*)\}$/.exec(part)?.[1] ?? "[^/]+") : part))
      .join("/");
    const address = new RegExp(`^${method} ${pattern.replace(/(?<=.)\/$/, "")}$`);
    return !names.some((name) => address.test(name));
  });
  expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

it("its requests are the same each time", () => {
  const [first, again] = [0, 1].map(() => fc.sample(plan, { seed: SEED, numRuns: 50 }));
  expect(again).toEqual(first);
});
