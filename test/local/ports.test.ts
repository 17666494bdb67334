import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort, requireFreePort } from "../../functions/local/ports.ts";

describe("ports", () => {
  it("finds a free one, and names a taken one with a way out", async () => {
    const port = await freePort();
    await requireFreePort(port);
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    await expect(requireFreePort(port)).rejects.toThrow(
      new RegExp(`^port ${port} is already in use; choose another one: PORT=\\d+ npm start$`),
    );
    server.close();
  });
});
