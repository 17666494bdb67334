import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** Creates a database on the server that all tests share, empty or as a copy of another one. Returns its URL. */
export const makeDatabase = async (template = "template1"): Promise<string> => {
  const serverUrl = inject("serverUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const server = new pg.Client(serverUrl);
  await server.connect();
  await server.query(`create database ${name} template ${template}`);
  await server.end();
  return serverUrl.replace(/[^/]+$/, name);
};
