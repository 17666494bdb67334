import { once } from "node:events";
import { createServer } from "node:net";
import { Problem } from "../../db/local/problem.ts";

/** Returns a port on loopback that nothing listens on at this moment. */
export const freePort = async (): Promise<number> => listenOnce(0);

/**
 * Checks that a port on loopback is free.
 *
 * @throws {Problem} when it is taken or not allowed
 */
export const requireFreePort = async (port: number): Promise<void> => {
  try {
    await listenOnce(port);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    const cause = code === "EADDRINUSE" ? "is already in use" : `cannot be used (${String(code)})`;
    throw new Problem(`port ${port} ${cause}; choose another one: PORT=${port < 65535 ? port + 1 : 8787} npm start`);
  }
};

const listenOnce = async (port: number): Promise<number> => {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system named no port");
  return address.port;
};
