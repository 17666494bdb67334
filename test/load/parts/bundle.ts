import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BUNDLE_LIMIT_KB, SCRIPT_LIMIT_KB } from "../../../functions/local/limits.ts";
import { ROOT, wrangler } from "../../../functions/local/wrangler.ts";
import { bundleHelper } from "../servers/bundle.ts";
import type { Bench } from "../context.ts";
import { makeFolder } from "../servers/folders.ts";
import { type Bar, fixed, type PartResult } from "../report.ts";
import { median } from "../traffic/rounds.ts";
import { runMicros } from "../servers/processes.ts";
import type { Script } from "../servers/workerd.ts";

const STARTUP_LIMIT_MS = 40;

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

/**
 * Returns how long a Worker's start is active according to `wrangler check startup`, in milliseconds. Other processes
 * make it longer.
 */
const profileStartup = async (folder: string, cwd: string): Promise<number> => {
  const output = await wrangler(["check", "startup", "--outfile", join(folder, "startup.cpuprofile")], cwd);
  return Number(/Active: ([\d.]+) ms/.exec(output)?.[1]);
};

/** Measures the start of the service and of a Worker that does nothing, in turn. */
const startups = async (times: number): Promise<{ service: number[]; bare: number[] }> => {
  const folder = await makeFolder("startup");
  try {
    await writeFile(join(folder, "bare.js"), await bundleHelper("bare"));
    await writeFile(
      join(folder, "wrangler.toml"),
      'name = "bare"\nmain = "bare.js"\ncompatibility_date = "2026-11-01"\n',
    );
    const service: number[] = [];
    const bare: number[] = [];
    for (let i = 0; i < times; i++) {
      bare.push(await profileStartup(folder, folder));
      service.push(await profileStartup(folder, ROOT));
    }
    return { service, bare };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Measures the time from the start of the process to its first answer: milliseconds by the clock and of CPU time. */
const firstAnswer = async (bench: Bench, script: Script): Promise<{ clock: number; cpu: number }> => {
  const startedAt = performance.now();
  const worker = await bench.serve(script);
  const took = { clock: performance.now() - startedAt, cpu: runMicros(worker.pid) / 1_000 };
  await worker.stop();
  return took;
};

const readScript = async (): Promise<Buffer | null> => readFile(join(ROOT, "dist/assets/embed.js")).catch(() => null);

/** Measures the size of what is deployed and of what storefronts load, and the time that a start takes. */
export const bundle = async (bench: Bench): Promise<PartResult> => {
  const source = await bench.script();
  const zipped = gzipSync(source).length;
  const embed = await readScript();
  const embedZipped = embed ? gzipSync(embed).length : Number.NaN;
  const { service, bare } = await startups(bench.quick ? 1 : 5);
  const bareSource = await bundleHelper("bare");
  const answers: Record<"service" | "bare", Awaited<ReturnType<typeof firstAnswer>>[]> = { service: [], bare: [] };
  for (let i = 0; i < (bench.quick ? 2 : 5); i++) {
    answers.bare.push(await firstAnswer(bench, { source: bareSource }));
    answers.service.push(await firstAnswer(bench, { source, service: {} }));
  }
  const of = (kind: "service" | "bare", figure: "clock" | "cpu") => median(answers[kind].map((took) => took[figure]));
  const cells = (kind: "service" | "bare") => [`${fixed(of(kind, "cpu"), 0)} ms`, `${fixed(of(kind, "clock"), 0)} ms`];
  const own = of("service", "cpu") - of("bare", "cpu");
  const bars: Bar[] = [
    {
      what: "Worker bundle, gzip",
      bar: `≤ ${BUNDLE_LIMIT_KB} KB`,
      measured: kilobytes(zipped),
      met: zipped <= BUNDLE_LIMIT_KB * 1024,
    },
    {
      what: "start-up CPU, `wrangler check startup`",
      bar: `≤ ${STARTUP_LIMIT_MS} ms`,
      measured: `${fixed(median(service), 0)} ms by the clock; ${fixed(own, 0)} ms of CPU more than a bare Worker to the first answer`,
      met: median(service) <= STARTUP_LIMIT_MS,
    },
  ];
  if (embed) {
    bars.push({
      what: "storefront script, gzip",
      bar: `≤ ${SCRIPT_LIMIT_KB} KB`,
      measured: kilobytes(embedZipped),
      met: embedZipped <= SCRIPT_LIMIT_KB * 1024,
    });
  }
  return {
    tables: [
      {
        title: "Sizes and start-up",
        columns: ["", "raw", "gzip", "check startup", "CPU to first answer", "clock to first answer"],
        rows: [
          [
            "Worker",
            kilobytes(source.length),
            kilobytes(zipped),
            `${fixed(median(service), 0)} ms`,
            ...cells("service"),
          ],
          ["bare Worker", kilobytes(bareSource.length), "", `${fixed(median(bare), 0)} ms`, ...cells("bare")],
          ...(embed ? [["storefront script", kilobytes(embed.length), kilobytes(embedZipped), "", "", ""]] : []),
        ],
      },
    ],
    bars,
    data: { raw: source.length, zipped, embedZipped, startup: { service, bare }, firstAnswer: answers },
  };
};
