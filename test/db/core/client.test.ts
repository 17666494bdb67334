import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../../../db/core/client.ts";

const NOTHING = JSON.stringify({ fields: [], rows: [], command: "SELECT", rowCount: 0, rowAsArray: true });

let asked = 0;
const server = createServer((_request, response) => {
  asked += 1;
  // Leaves the first question without an answer.
  if (asked > 1) response.end(NOTHING);
});
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("gives up a round trip that takes too long, and none for the age of its handle", async () => {
  const { port } = server.address() as AddressInfo;
  const db = connect(`postgres://user:password@127.0.0.1:${port}/db`, 300);
  await expect(db.execute(sql`select 1`)).rejects.toThrow("Failed query");
  expect((await db.execute(sql`select 1`)).rows).toEqual([]);
});
