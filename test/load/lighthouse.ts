import { spawn } from "node:child_process";
import { once } from "node:events";
import { CHROMIUM_FLAGS } from "../support/browser/chromium.ts";
import { CHROMIUM_PLACES, chromiumPath } from "../support/browser/chromium-path.ts";

// Has Lighthouse judge the console's first screen, while `npm start` runs. npm fetches it for the run only: with its
// 114 packages it weighs as much as the runtime, and duplicates some that are here.
const LIGHTHOUSE = "lighthouse@13.5.0";
const LEAST = 95;

type Audit = { title: string; score: number | null; displayValue?: string };
type Report = {
  categories: Record<string, { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
};

const points = (score: number | null): number => Math.round((score ?? 0) * 100);

/** Runs Lighthouse on an address. */
const audit = async (address: string, look: readonly string[]): Promise<Report> => {
  const flags = ["--quiet", "--output=json", `--chrome-flags=${CHROMIUM_FLAGS.join(" ")}`, ...look];
  const child = spawn("npx", ["--yes", LIGHTHOUSE, address, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CHROME_PATH: chromiumPath },
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}; is ${address} served? Start it with npm start.`);
  return JSON.parse(text) as Report;
};

/** Prints the scores of one look at the page, and what lowers them; tells whether all are good enough. */
const print = (name: string, { categories, audits }: Report): boolean => {
  const scores = Object.values(categories).map(({ title, score }) => `${title} ${points(score)}`);
  console.log(`${name}: ${scores.join(", ")}`);
  for (const { auditRefs } of Object.values(categories)) {
    for (const { id, weight } of auditRefs) {
      const { title, score, displayValue = "" } = audits[id] ?? { title: id, score: null };
      if (weight > 0 && score !== null && score < 1) console.log(`  ${points(score)} ${title} ${displayValue}`);
    }
  }
  return Object.values(categories).every(({ score }) => points(score) >= LEAST);
};

if (!chromiumPath) throw new Error(`Lighthouse needs a browser at one of ${CHROMIUM_PLACES.join(", ")}`);
const address = process.argv[2] ?? "http://127.0.0.1:8787/console";
const looks = { phone: [], desktop: ["--preset=desktop"] };
for (const [name, look] of Object.entries(looks)) {
  if (!print(name, await audit(address, look))) process.exitCode = 1;
}
