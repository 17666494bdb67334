import { constants, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Problem } from "./problem.ts";

const held = new Set<string>();

/**
 * Takes a lock: a file with this process's id. A lock left by a process that no longer runs is taken over.
 *
 * @returns a function that releases the lock
 * @throws {Problem} when a running process holds the lock
 */
export const takeLock = (path: string): (() => void) => {
  mkdirSync(dirname(path), { recursive: true });
  // A process that found the file before the id was written may have taken it for a stale lock.
  while (!create(path) || readHolder(path) !== process.pid) {
    const holder = readHolder(path);
    if (holder !== undefined && isHolding(holder, path)) {
      throw new Problem(
        `another Lanyap (process ${holder}) is using this data; stop it first. If that process is not Lanyap, delete ${path}.`,
      );
    }
    removeLock(path, holder);
  }
  held.add(path);
  return () => {
    if (held.delete(path)) rmSync(path, { force: true });
  };
};

/**
 * Removes a lock that nobody holds. If another start has created a new one since the check, it is put back: otherwise
 * two would use the data at once.
 *
 * @param holder the process that was found in the lock
 */
export const removeLock = (path: string, holder: number | undefined): void => {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readHolder(aside) !== holder) copyFileSync(aside, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EEXIST") throw error;
  }
  rmSync(aside, { force: true });
};

const create = (path: string): boolean => {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
};

const readHolder = (path: string): number | undefined => {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
};

// A container gives each start the same process ids, so a stale lock may hold this process's own id.
const isHolding = (pid: number, path: string): boolean => {
  if (pid === process.pid) return held.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
