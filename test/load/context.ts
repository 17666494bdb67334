import { SECRETS } from "../support/secrets.ts";
import { buildService } from "./servers/bundle.ts";
import { startDatabases, type Database } from "./servers/database.ts";
import type { Size } from "./servers/fill.ts";
import { SERVER_CORE } from "./servers/processes.ts";
import type { Recorded } from "./report.ts";
import type { Resources } from "./servers/resources.ts";
import { type Script, startWorkerd, type Workerd } from "./servers/workerd.ts";

/** Holds what parts need. What takes time to make is made when it is first asked for. */
export type Bench = {
  quick: boolean;
  soakSeconds: number;
  /** Holds the results of earlier runs, for the simulation. */
  earlier: Record<string, Recorded>;
  /** Builds the Worker's script as it is deployed. */
  script: () => Promise<string>;
  /** Returns a filled database. Parts that ask for the same size share one. */
  database: (size: Size) => Promise<Database>;
  /** Registers a function that stops something, and returns one that stops it now. */
  note: (stop: () => Promise<void>) => () => Promise<void>;
  /** Serves any script on the servers' processor. */
  serve: (script: Script) => Promise<Workerd>;
  /** Serves the service over a database. `freshMs` limits how long a document in memory is good for. */
  service: (database: Database, options?: ServiceOptions) => Promise<Workerd>;
};

type ServiceOptions = { freshMs?: number } & NonNullable<Script["service"]>;

/** Names the service's address in its answers, which is as long as a real one. */
export const PUBLIC_URL = "https://offers.example.com";

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

/**
 * Creates what parts need.
 *
 * @param workers registers the servers, which belong to a single part
 * @param lasting registers the database server
 */
export const createBench = (
  settings: Pick<Bench, "quick" | "soakSeconds" | "earlier">,
  workers: Resources,
  lasting: Resources,
): Bench => {
  const script = once(buildService);
  const databases = once(() => startDatabases(lasting));
  const known = new Map<string, Promise<Database>>();
  const serve = async (toServe: Script): Promise<Workerd> => {
    const worker = await startWorkerd(toServe, SERVER_CORE);
    return { ...worker, stop: workers.add(worker.stop) };
  };
  return {
    ...settings,
    script,
    database: (size) => {
      const name = JSON.stringify(size);
      const made = known.get(name) ?? databases().then((make) => make(size));
      known.set(name, made);
      return made;
    },
    note: (stop) => workers.add(stop),
    serve,
    service: async (database, { freshMs = 5_000, ...service } = {}) =>
      serve({
        source: await script(),
        text: {
          ...SECRETS,
          DATABASE_URL: database.url,
          PUBLIC_URL,
          PARTNER_ZONE_URL: "",
          DOCUMENT_FRESH_MS: String(freshMs),
          WRITES_PER_MINUTE: "1000000",
        },
        service,
      }),
  };
};
