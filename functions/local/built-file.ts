import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file of a build in one step, and only when it changed, because a server may be reading its folder. */
export const writeBuilt = (path: string, content: string | Uint8Array): void => {
  const bytes = Buffer.from(content);
  try {
    if (readFileSync(path).equals(bytes)) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
};
