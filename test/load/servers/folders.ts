import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a folder for all temporary files of this process. It goes when the process ends, however hastily. */
export const useOwnTemporaryFolder = (): void => {
  const folder = mkdtempSync(join(tmpdir(), "lanyap-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // As root, Postgres runs under another user, who has to get through to its data.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
};

/** A new folder among the temporary files. */
export const makeFolder = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `lanyap-${name}-`));
