import { defineConfig } from "oxlint";

/** Lists the folders of the Worker and of the database from the top down. Imports go down these lists, never back up. */
export const WORKER = ["routes", "events", "http", "answer", "decision", "documents", "core"];
export const DATABASE = [
  "local",
  "demo",
  "tracking",
  "demand",
  "inventory",
  "accounts",
  "publishing",
  "documents",
  "learning",
  "schema",
  "core",
];

/** Lists the folders that are beside the Worker: what browsers load, and `npm start`. */
export const BESIDE_WORKER = ["storefront", "console", "docs", "local"];

type Pattern = { regex: string; message: string };

const NO_QUERIES: Pattern = { regex: "^drizzle-orm", message: "Only db/ talks to the database." };
const NO_DEMO: Pattern = { regex: "db/(local|demo)/", message: "Not part of the Worker." };
const NO_DESCRIPTION: Pattern = { regex: "\\./description/", message: "Not part of the Worker, which it describes." };
const NO_WORKER: Pattern = { regex: "functions/", message: "db/ knows nothing of the Worker." };

const notFrom = (folders: readonly string[]): Pattern[] =>
  folders.length === 0
    ? []
    : [
        {
          regex: `\\.\\./(${folders.join("|")})/`,
          message: "Imports go down: what is above may use this, not the other way round.",
        },
      ];

/** Keeps the files of a place from importing what the patterns name. */
const restrict = (files: string, patterns: Pattern[]) => ({
  files: [files],
  rules: { "no-restricted-imports": ["error", { patterns }] as ["error", { patterns: Pattern[] }] },
});

const workerFolder = (folder: string, i: number) => {
  const above = [...WORKER.slice(0, i), ...BESIDE_WORKER];
  const entry = { regex: "/(app|index)\\.ts$", message: "Imports go down." };
  return restrict(`functions/${folder}/**`, [NO_QUERIES, NO_DEMO, NO_DESCRIPTION, entry, ...notFrom(above)]);
};

const databaseFolder = (folder: string, i: number) =>
  restrict(`db/${folder}/**`, [NO_WORKER, ...notFrom(DATABASE.slice(0, i))]);

const modules = WORKER.filter((folder) => folder !== "core");

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "vitest"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["worker-configuration.d.ts", "dist/**", ".data/**", "db/migrations/**", "test/client/programs/**"],
  rules: {
    "typescript/no-floating-promises": ["error", { checkThenables: true }],
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/ban-ts-comment": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "import/no-named-as-default-member": "off",
    eqeqeq: "error",
    "no-console": ["error", { allow: ["warn", "error"] }],
    "no-await-in-loop": "off",
    "unicorn/no-array-sort": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "vitest/require-mock-type-parameters": "off",
    "func-style": ["error", "expression"],
    "typescript/consistent-type-definitions": ["error", "type"],
  },
  overrides: [
    {
      // Tools and the platform ask for these default exports.
      files: [
        "functions/index.ts",
        "functions/app.ts",
        "*.config.ts",
        "test/support/runtime/global-setup.ts",
        "test/load/servers/workers/**",
        "test/support/runtime/clocked-limiter.ts",
        "test/support/faults/kv-worker.ts",
      ],
      rules: { "import/no-default-export": "off" },
    },
    { files: ["db/local/**", "functions/local/**", "test/load/**"], rules: { "no-console": "off" } },
    {
      // Threads of Node know no origins.
      files: ["test/simulate/**"],
      rules: { "no-console": "off", "unicorn/require-post-message-target-origin": "off" },
    },
    restrict("functions/*.ts", [
      NO_QUERIES,
      NO_DEMO,
      NO_DESCRIPTION,
      { regex: "/index\\.ts$", message: "Imports go down." },
    ]),
    restrict("functions/index.ts", [NO_QUERIES, NO_DEMO, NO_DESCRIPTION]),
    restrict("functions/description/**", [
      NO_QUERIES,
      { regex: "/index\\.ts$|\\.\\./(storefront|local)/", message: "Imports go down." },
    ]),
    ...WORKER.map(workerFolder),
    restrict("functions/storefront/**", [
      NO_QUERIES,
      {
        regex: `/(${[...modules, "local", "description"].join("|")})/`,
        message: "Browsers load this; it knows nothing of the Worker.",
      },
    ]),
    restrict("functions/docs/**", [
      NO_QUERIES,
      { regex: "db/", message: "Pages are made of documents and of the description alone." },
      {
        regex: `\\.\\./(${[...modules, "local"].join("|")})/`,
        message: "Browsers load this; it knows nothing of the Worker.",
      },
    ]),
    restrict("functions/client/**", [
      NO_QUERIES,
      {
        // The runtime has the service's own codes, which are a type, where the package has a file of its own.
        regex: `\\.\\./(${[...modules, ...BESIDE_WORKER].filter((folder) => folder !== "http").join("|")})/|/db/`,
        message: "The client knows nothing but the description.",
      },
    ]),
    restrict("functions/console/**", [
      NO_QUERIES,
      { regex: "db/", message: "The console knows nothing but the API." },
      {
        regex: `\\.\\./(${[...modules, "local"].join("|")})/`,
        message: "Browsers load this; it knows nothing of the Worker.",
      },
    ]),
    // These run in Node.
    restrict("functions/{storefront,console,docs,description}/build.ts", [NO_QUERIES]),
    restrict("functions/console/write-client.ts", [NO_QUERIES]),
    restrict("functions/local/**", [
      NO_QUERIES,
      { regex: `\\.\\./(${modules.join("|")})/`, message: "npm start runs the built Worker, not its modules." },
    ]),
    ...DATABASE.map(databaseFolder),
    {
      // Global declarations are merged by name, which only interfaces are.
      files: [
        "functions/storefront/browser/webview/bridge.ts",
        "functions/storefront/browser/embed/global.ts",
        "test/support/runtime/global-setup.ts",
      ],
      rules: { "typescript/consistent-type-definitions": "off" },
    },
  ],
});
