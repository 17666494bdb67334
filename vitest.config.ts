import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { CHROMIUM_PLACES, chromiumPath } from "./test/support/browser/chromium-path.ts";

const TESTS = "test/**/*.test.ts";

/** Tests that replace modules or globals, which no other test may meet. */
const ISOLATED = "test/**/*.isolated.test.ts";

/** Tests in a real browser. They are left out where there is none, except in CI. */
const IN_BROWSER = "test/browser/**";

if (!chromiumPath && process.env["CI"]) throw new Error(`tests need a browser at one of ${CHROMIUM_PLACES.join(", ")}`);
if (!chromiumPath) {
  console.warn("Tests in a browser are left out: there is no Chromium (Debian: apt-get install chromium).");
}

/** Tests that mostly wait, for outages and whole starts: begun first, they leave the processors to the others. */
const WAITING = /\/test\/(?:faults|local\/start)/;

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [true, false].flatMap((waits) => sorted.filter(({ moduleId }) => WAITING.test(moduleId) === waits));
  }
}

export default defineConfig({
  resolve: {
    alias: { "cloudflare:workers": resolve(import.meta.dirname, "functions/description/cloudflare-workers.ts") },
  },
  test: {
    globalSetup: "test/support/runtime/global-setup.ts",
    setupFiles: "test/support/runtime/midnight.ts",
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Tests wait for queues and browsers about a third of their time, in which another worker can run.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: WaitingFirst },
    reporters: ["default", ["json", { outputFile: "dist/test-results.json" }]],
    projects: [
      // Loading wrangler costs more than most files' tests, so the files of a worker share their modules.
      {
        extends: true,
        test: {
          name: "shared",
          include: [TESTS],
          exclude: chromiumPath ? [ISOLATED] : [ISOLATED, IN_BROWSER],
          isolate: false,
        },
      },
      { extends: true, test: { name: "isolated", include: [ISOLATED] } },
    ],
  },
});
