import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Description } from "../client/description.ts";
import { clientSources } from "../client/sources.ts";
import { writeBuilt } from "../local/built-file.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Writes the typed client, which the console imports as #client, from the accepted description. That exists before
 * anything is built, and a test checks that it is the one that is served.
 */
export const writeClient = (): void => {
  const accepted = readFileSync(join(root, "functions/description/openapi.json"), "utf8");
  for (const [name, text] of Object.entries(clientSources(JSON.parse(accepted) as Description))) {
    writeBuilt(join(root, "dist/console-client", name), text);
  }
};

if (import.meta.main) writeClient();
