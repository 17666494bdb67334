import { setFlagsFromString } from "node:v8";
import type { Engine } from "./engine.ts";

// Node may crash when it frees WebAssembly code that it has since recompiled (nodejs/node#64500). Keeping that code
// takes about a megabyte for each PGlite.
setFlagsFromString("--no-wasm-code-gc");

/**
 * Opens the embedded Postgres: in memory, or with its data in `dataDir`, which is created if it is missing.
 *
 * @throws {Problem} when another process has `dataDir` open, or `dataDir` holds anything else
 */
export const openPglite = async (dataDir?: string): Promise<Engine> => {
  // Loaded only here, after the flag is set: Node also strips TypeScript with WebAssembly, and would free some of that
  // code.
  const { openEmbedded } = await import("./open-pglite.ts");
  return openEmbedded(dataDir);
};
