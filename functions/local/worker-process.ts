import { type ChildProcess, spawn } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Problem } from "../../db/local/problem.ts";

/** Limits a start that hangs. Failed builds and wrong settings show at once, but a busy machine may need minutes. */
const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 5_000;
const GONE_TIMEOUT_MS = 1_000;
const HEALTH_TIMEOUT_MS = 5_000;
const POLL_MS = 100;
const TAIL_LINES = 30;

/**
 * Empties variables that wrangler.toml has for production: a local run hands out its own address, and announces no site
 * to a partner.
 */
const NOT_PRODUCTION = { PUBLIC_URL: "", PARTNER_ZONE_URL: "" };

/** Describes the Worker to start. */
export type WorkerOptions = {
  port: number;
  /** Names the project's folder, which holds wrangler.toml. */
  folder: string;
  /** Names the folder where KV, queues and Durable Objects keep their data. */
  stateDir: string;
  /** Holds the Worker's secrets, and variables that replace those of wrangler.toml. */
  vars: Record<string, string>;
  /** Holds the environment of the builds that wrangler runs. */
  environment: Record<string, string>;
};

/** Describes the Worker's process. */
export type WorkerProcess = {
  /**
   * Resolves when `GET /health` answers 200.
   *
   * @throws {Problem} with wrangler's last lines when the Worker does not start
   */
  ready: () => Promise<void>;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Stops the process and all it started: asks it to end, and kills it after a few seconds. */
  stop: () => Promise<void>;
  /** Kills the process and all it started. */
  kill: () => void;
};

/** Starts `wrangler dev`. Once it is ready, the Worker's warnings and errors go to the terminal. */
export const startWorker = (options: WorkerOptions): WorkerProcess => {
  const child = spawnWrangler(options);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.once("exit", () => end()).once("error", () => end());
  const output = followOutput(child);
  const signal = (name: NodeJS.Signals | 0) => signalGroup(child, name);
  return {
    ended,
    ready: async () => {
      const over = new AbortController();
      const outcome = await Promise.race([
        answersHealth(options.port, over.signal).then(
          (refused) => refused && `refuses its settings ${refused.join(", ")}; set them right in wrangler.toml`,
        ),
        output.failed.then(() => "could not be built"),
        ended.then(() => "stopped"),
        delay(START_TIMEOUT_MS).then(() => `did not answer within ${START_TIMEOUT_MS / 60_000} minutes`),
      ]);
      over.abort();
      if (outcome !== null) throw new Problem(`the Worker ${[`${outcome}.`, output.tail()].join("\n").trim()}`);
      output.passOn();
    },
    stop: async () => {
      // While its parts stop, what they report about each other is of no interest.
      output.hold();
      signal("SIGTERM");
      await Promise.race([ended, delay(STOP_TIMEOUT_MS)]);
      signal("SIGKILL");
      await ended;
      for (let waited = 0; signal(0) && waited < GONE_TIMEOUT_MS; waited += POLL_MS) await delay(POLL_MS);
    },
    kill: () => void signal("SIGKILL"),
  };
};

const spawnWrangler = ({ port, folder, stateDir, vars, environment }: WorkerOptions): ChildProcess => {
  const wrangler = join(folder, "node_modules", "wrangler", "bin", "wrangler.js");
  // This is a URL, since in a path, everything after # would be cut off, and %20 become a space.
  const guard = new URL("die-with-parent.ts", import.meta.url);
  // With an --env-file wrangler leaves .dev.vars alone and takes the secrets from the environment.
  const flags = {
    "--ip": "127.0.0.1",
    "--port": String(port),
    "--inspector-port": "0",
    "--persist-to": stateDir,
    "--env-file": devNull,
    // With production's routes, requests would seem to come to its host, where development's secrets are refused.
    "--infer-origin-from-routes": "false",
    "--show-interactive-dev-session": "false",
  };
  const args = Object.entries(flags).map(([name, value]) => `${name}=${value}`);
  return spawn(process.execPath, [`--import=${guard.href}`, wrangler, "dev", ...args], {
    cwd: folder,
    // In its own process group the Worker does not get the terminal's Ctrl-C, and stop() reaches its children, too.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      ...NOT_PRODUCTION,
      ...process.env,
      ...vars,
      ...environment,
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_LOG: process.env["WRANGLER_LOG"] ?? "warn",
      WRANGLER_REGISTRY_PATH: `${stateDir}/registry`,
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_WRITE_LOGS: "false",
    },
  });
};

/** Signals a process and all it started, and tells whether any of them is running. Signal 0 only checks that. */
const signalGroup = ({ pid }: ChildProcess, name: NodeJS.Signals | 0): boolean => {
  try {
    return pid !== undefined && process.kill(-pid, name);
  } catch {
    return false;
  }
};

const followOutput = (child: ChildProcess) => {
  let held: string[] | undefined = [];
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  const follow = (from: NodeJS.ReadableStream | null, to: NodeJS.WriteStream) => {
    from?.setEncoding("utf8").on("data", (chunk: string) => {
      const text = to.isTTY ? chunk : stripVTControlCharacters(chunk);
      if (held === undefined) to.write(text);
      else held.push(text);
      if (text.includes("Build failed")) fail();
    });
  };
  follow(child.stdout, process.stdout);
  follow(child.stderr, process.stderr);
  return {
    failed,
    tail: () => (held ?? []).join("").trim().split("\n").slice(-TAIL_LINES).join("\n"),
    hold: () => {
      held = [];
    },
    passOn: () => {
      held = undefined;
    },
  };
};

type Health = { status?: string; settings?: string[] };

/** Asks the Worker until it answers. Returns the names of settings that it refuses, null when it is up. */
const answersHealth = async (port: number, given: AbortSignal): Promise<string[] | null> => {
  while (!given.aborted) {
    const signal = AbortSignal.any([given, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]);
    const answer = fetch(`http://127.0.0.1:${port}/health`, { signal });
    const { status, settings } = await answer
      .then(async (response): Promise<Health> => response.json())
      .catch(() => noHealth);
    if (settings) return settings;
    if (status === "ok") return null;
    await delay(POLL_MS);
  }
  return null;
};

const noHealth: Health = {};

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
