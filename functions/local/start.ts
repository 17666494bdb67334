import { join } from "node:path";
import { connect } from "../../db/core/client.ts";
import { demo } from "../../db/demo/network.ts";
import { seed, seedCategories } from "../../db/demo/seed.ts";
import { bannerText, consoleDemo } from "./banner.ts";
import { startCron } from "./cron.ts";
import { chooseDatabase } from "../../db/local/database.ts";
import { whenOrphaned } from "./orphan.ts";
import { requireFreePort } from "./ports.ts";
import { explain, Problem } from "../../db/local/problem.ts";
import { readArguments, readSettings, type Settings } from "./settings.ts";
import { handleShutdown, type Shutdown } from "./shutdown.ts";
import { startWorker } from "./worker-process.ts";

const NODE = 24;
const folder = join(import.meta.dirname, "../..");
const dataDir = join(folder, ".data");
const migrations = join(folder, "db", "migrations");

const start = async (shutdown: Shutdown): Promise<void> => {
  if (Number.parseInt(process.versions.node, 10) < NODE) {
    throw new Problem(`Lanyap needs Node ${NODE}, and this is ${process.versions.node}; run npm ci, then npm start.`);
  }
  const asked = readArguments(process.argv.slice(2));
  const settings = readSettings(folder, process.env);
  const { port, vars } = settings;
  await requireFreePort(port);
  const target = chooseDatabase(settings.databaseUrl, dataDir, migrations);

  const database = await step(target.description, target.open);
  shutdown.add(database.close);
  const withDemo = asked.demo || !target.isRemote;
  await step(withDemo ? "Demo network" : "Categories", async () => fill(database.url, settings, withDemo));

  const platformToken = vars["PLATFORM_TOKEN"] || demo.platformToken;
  const adminToken = vars["ADMIN_TOKEN"] ?? "";
  const shown = withDemo ? { ...demo, platformToken, placementId: demo.placements.live } : null;
  const worker = startWorker({
    port,
    folder,
    stateDir: target.stateDir,
    vars: { ...vars, DATABASE_URL: database.url },
    environment: {
      LANYAP_CONSOLE_DEMO: shown ? consoleDemo(adminToken, shown) : "",
      LANYAP_DATABASE: database.url,
    },
  });
  // Nothing of the Worker may outlive this process, however it ends. Only SIGKILL is left to die-with-parent.ts.
  process.on("exit", worker.kill);
  shutdown.add(worker.stop);
  await step("Worker", worker.ready);
  void worker.ended.then(() => {
    if (!shutdown.begun) console.error("lanyap: the Worker stopped unexpectedly; the lines above may say why.");
    return shutdown.exit(1);
  });

  const stopCron = startCron(port);
  shutdown.add(async () => stopCron());
  console.log(bannerText(`http://127.0.0.1:${port}`, adminToken, shown));
};

/** Writes the categories, and the demo network where it is wanted: its keys are the same everywhere, and public. */
const fill = async (url: string, { vars }: Settings, withDemo: boolean): Promise<void> => {
  const db = connect(url);
  if (!withDemo) return seedCategories(db);
  const tokenEncryptionKey = vars["TOKEN_ENCRYPTION_KEY"] ?? "";
  await seed(db, { platformToken: vars["PLATFORM_TOKEN"], tokenEncryptionKey });
};

const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  process.stdout.write(`${what} … `);
  try {
    const result = await work();
    console.log("ready");
    return result;
  } catch (error) {
    console.log("failed");
    throw error;
  }
};

const shutdown = handleShutdown();
// Without npm, a shell that ends may well leave this in the background on purpose.
if (process.env["npm_lifecycle_event"] === "start") whenOrphaned(() => void shutdown.exit(0));
try {
  await start(shutdown);
} catch (error) {
  // While everything is being stopped, failures are expected.
  if (!shutdown.begun) console.error(explain(error));
  await shutdown.exit(1);
}
