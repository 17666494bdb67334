import { describe, expect, it } from "vitest";
import { readRequest, writeError } from "../../../db/local/wire.ts";

const headers = { "neon-connection-string": "postgres://x", "neon-raw-text-output": "true", "neon-array-mode": "true" };
const read = (body: unknown, more = {}) => readRequest({ ...headers, ...more }, JSON.stringify(body));

describe("a request of the /sql endpoint", () => {
  it.each([
    [
      "a statement",
      { query: "a", params: ["x", null, 1.5, true] },
      [{ query: "a", params: ["x", null, "1.5", "true"] }],
    ],
    ["one without parameters", { query: "a" }, [{ query: "a", params: [] }]],
    [
      "a batch",
      { queries: [{ query: "a" }, { query: "b", params: [""] }] },
      [
        { query: "a", params: [] },
        { query: "b", params: [""] },
      ],
    ],
    ["an empty batch", { queries: [] }, []],
  ])("is read: %s", (_what, body, queries) => {
    expect(read(body)).toEqual({ queries, batch: "queries" in body, options: {}, arrayMode: true });
  });

  it("carries the options of its headers", () => {
    const batch = {
      "neon-array-mode": "false",
      "neon-batch-isolation-level": "RepeatableRead",
      "neon-batch-read-only": "true",
      "neon-batch-deferrable": "false",
    };
    expect(read({ queries: [] }, batch)).toMatchObject({
      arrayMode: false,
      options: { isolationLevel: "RepeatableRead", readOnly: true, deferrable: false },
    });
  });

  it.each([
    ["an array", []],
    ["null", null],
    ["no query", { params: [] }],
    ["a query that is no text", { query: 1 }],
    ["NUL in a query", { query: "select 1\0" }],
    ["params that are no array", { query: "a", params: "x" }],
    ["a parameter that is an object", { query: "a", params: [{}] }],
    ["a parameter that is an array", { query: "a", params: [[]] }],
    ["queries that are no array", { queries: {} }],
    ["a batch with a malformed statement", { queries: [{ query: "a" }, null] }],
  ])("is refused: %s", (_what, body) => {
    expect(() => read(body)).toThrow(SyntaxError);
  });

  it.each([
    ["without a connection string", { "neon-connection-string": undefined }],
    ["without raw text", { "neon-raw-text-output": "false" }],
    ["with an unknown isolation level", { "neon-batch-isolation-level": "toString" }],
  ])("is refused: %s", (_what, more) => {
    expect(() => read({ query: "a" }, more)).toThrow(SyntaxError);
  });
});

const postgres = (code: string) => Object.assign(new Error("m"), { severity: "FEHLER", code, table: "t", secret: "s" });

describe("an error", () => {
  it.each(["23505", "42601", "22P02", "57014", "40001", "08P01", "25001"])("%s is about the statement", (code) => {
    expect(writeError(postgres(code))).toEqual({ message: "m", severity: "FEHLER", code, table: "t" });
  });

  it.each([
    ...["57P01", "53300", "28P01", "3D000", "25006"].map(postgres),
    Object.assign(new Error("m"), { code: "ECONNREFUSED" }),
    new Error("closed"),
    "thrown",
  ])("of the connection is not", (error) => {
    expect(writeError(error)).toBeNull();
  });
});
