import { accessSync, constants, statfsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";

/** Several times what tests have there at once. */
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
 * Makes the folder where everything that tests start keeps its files; the returned function removes it. It is in memory
 * where that can be: on a disk, KV and Durable Objects wait for each write to arrive.
 */
export const useTemporaryFolder = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), "lanyap-tests-"));
  // The user postgres has to get through to the data of servers that tests start.
  await chmod(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
};
