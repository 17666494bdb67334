import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a folder for all temporary files of this process, which is removed when the process ends, however abruptly.
 */
export const useOwnTemporaryFolder = (): void => {
  const folder = mkdtempSync(join(tmpdir(), "lanyap-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // Started by root, Postgres runs as another user, who must be able to reach its data.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
};

/** Creates a folder among the temporary files. */
export const makeFolder = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `lanyap-${name}-`));
