import type { TestProject } from "vitest/node";
import { expectedByAll, seenByAll } from "./seen.ts";

/**
 * Tells which documented answers no test has seen; null when that means nothing, since not all tests ran or some
 * failed.
 *
 * @returns a text that names them
 */
export const describeUnseen = async ({ vitest, config }: TestProject): Promise<string | null> => {
  if (config.testNamePattern || vitest.state.getCountOfFailedTests() > 0) return null;
  const ran = new Set(vitest.state.getPaths());
  const all = await vitest.globTestSpecifications();
  if (all.some(({ moduleId }) => !ran.has(moduleId))) return null;
  const seen = seenByAll();
  const unseen = expectedByAll().filter((name) => !seen.has(name));
  return unseen.length === 0
    ? null
    : `No test has seen these answers, which the API's description has:\n${unseen.join("\n")}`;
};
