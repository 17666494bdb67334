import { accessSync, constants, statfsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";

/** Says how much room tests need, in bytes: several times what they use at any time. */
const ROOM_BYTES = 2 ** 30;

const hasRoom = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
};

/**
 * Creates the folder for all files of the programs that tests start, and returns a function that removes it. The folder
 * is in memory if there is room, because on a disk KV and Durable Objects wait for each write.
 */
export const useTemporaryFolder = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), "lanyap-tests-"));
  // The user postgres must be able to reach the data of servers that tests start.
  await chmod(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
};
