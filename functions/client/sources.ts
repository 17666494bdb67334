import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operationsOf, type Description } from "./description.ts";
import { ENTRY } from "./entry.ts";
import { errorsModule } from "./errors.ts";
import { typesModule } from "./methods.ts";
import { operationsModule } from "./operations.ts";

const RUNTIME = join(import.meta.dirname, "runtime");

/**
 * Returns the client's modules by their file names: the runtime as it is here, and what is generated from a
 * description.
 */
export const clientSources = (description: Description): Record<string, string> => {
  const operations = operationsOf(description);
  const runtime = readdirSync(RUNTIME).map((name) => [name, readFileSync(join(RUNTIME, name), "utf8")]);
  return {
    ...Object.fromEntries(runtime),
    "errors-described.ts": errorsModule(description),
    "types.ts": typesModule(operations, description),
    "operations.ts": operationsModule(operations),
    "index.ts": ENTRY,
  };
};
