import { describe, expect, it } from "vitest";
import { inTime, type Ask } from "../../../support/fuzz/in-time.ts";

const PATIENCE = { limitMs: 20, pausesMs: [0, 1, 1] };
const never = new Promise<string[]>(() => undefined);

/**
 * Stands in for a service that hangs, or has no time, at certain tries of a request, and answers the others at once.
 */
const makeService = (
  hangs: (attempt: number) => boolean,
  answer: string[] = [],
  none: Promise<string[] | null> = never,
) => {
  const service = { tries: 0, ask: (async () => answer) as Ask };
  service.ask = () => (hangs(++service.tries) ? none : Promise.resolve(answer));
  return service;
};

/** Asks all of them at once, and then again what was late. */
const problemsOf = async (services: Record<string, Ask>): Promise<string[]> => {
  const answers = inTime(PATIENCE);
  const first = await Promise.all(Object.entries(services).map(([name, ask]) => answers.ask(name, ask)));
  return [...first.flat(), ...(await answers.askAgain())];
};

describe("an answer in time:", () => {
  it("one that hangs at each try is found, and is asked four times", async () => {
    const hung = makeService(() => true);
    const well = makeService(() => false);
    expect(await problemsOf({ well: well.ask, hung: hung.ask })).toEqual([
      "hung: no answer within 20 ms, asked 4 times",
    ]);
    expect([hung.tries, well.tries]).toEqual([4, 1]);
  });

  it.each([1, 2, 3])("one that is slow at the first tries, %i of them, is none", async (slow) => {
    const service = makeService((attempt) => attempt <= slow);
    expect(await problemsOf({ service: service.ask })).toEqual([]);
    expect(service.tries).toBe(slow + 1);
  });

  it("one that finds the service busy is asked again, and is none where it always is", async () => {
    const busy = Promise.resolve(null);
    const once = makeService((attempt) => attempt === 1, [], busy);
    const always = makeService(() => true, [], busy);
    expect(await problemsOf({ once: once.ask, always: always.ask })).toEqual([
      "always: no answer within 20 ms, asked 4 times",
    ]);
    expect([once.tries, always.tries]).toEqual([2, 4]);
  });

  it("what is wrong with it is told, at the first try and at later ones", async () => {
    const soon = makeService(() => false, ["soon: a failure"]);
    const later = makeService((attempt) => attempt === 1, ["later: a failure"]);
    expect(await problemsOf({ soon: soon.ask, later: later.ask })).toEqual(["soon: a failure", "later: a failure"]);
  });

  it("what is wrong with one that comes late is told, although the next try is well", async () => {
    const late = Promise.withResolvers<string[]>();
    const answers = inTime(PATIENCE);
    let tries = 0;
    await answers.ask("late", () => (++tries === 1 ? late.promise : Promise.resolve([])));
    late.resolve(["late: a failure"]);
    expect(await answers.askAgain()).toEqual(["late: a failure"]);
  });

  it("of many that hang five are told, and how many more were late", async () => {
    const services = Array.from({ length: 7 }, (_, i) => [`hung ${i}`, makeService(() => true).ask] as const);
    const problems = await problemsOf(Object.fromEntries(services));
    expect(problems).toHaveLength(6);
    expect(problems[5]).toBe("2 more were late");
  });
});
