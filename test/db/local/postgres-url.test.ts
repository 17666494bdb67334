import { describe, expect, it } from "vitest";
import {
  connectionProblem,
  describeUrl,
  forPg,
  isNeon,
  isRemote,
  parsePostgresUrl,
} from "../../../db/local/postgres-url.ts";

describe("DATABASE_URL", () => {
  it.each([
    ["postgres://u:hunter2@ep-a.eu-1.aws.neon.tech/db?sslmode=require", true, "ep-a.eu-1.aws.neon.tech:5432/db"],
    ["postgresql://u:hunter2@127.0.0.1:6000/db", false, "127.0.0.1:6000/db"],
    ["postgres://u:hunter2@neon.tech.example.org/db", false, "neon.tech.example.org:5432/db"],
    ["postgres://u:hunter2@fakeneon.tech/db", false, "fakeneon.tech:5432/db"],
    ["postgres://u:hunter2@localhost/db?host=db.example&port=6000", false, "db.example:6000/db"],
    ["postgres:///db?host=/var/run/postgresql", false, "/var/run/postgresql:5432/db"],
    ["postgres://u:hunter2@[::1]/db", false, "[::1]:5432/db"],
  ])("%s", (text, neon, description) => {
    const url = parsePostgresUrl(text);
    expect(isNeon(url)).toBe(neon);
    expect(describeUrl(url)).toBe(description);
  });

  it.each([
    ["postgres://u@localhost/db", false],
    ["postgres://u@LocalHost:6000/db", false],
    ["postgres://u@127.0.0.1/db", false],
    ["postgres://u@127.9.9.9:6000/db", false],
    ["postgres://u@[::1]/db", false],
    ["postgres:///db", false],
    ["postgres:///db?host=/var/run/postgresql", false],
    ["postgres://u@10.0.0.1/db?host=127.0.0.1", false],
    ["postgres://u@localhost/db?host=db.example", true],
    ["postgres://u@10.0.0.1/db", true],
    ["postgres://u@127.0.0.1.example/db", true],
    ["postgres://u@localhost.example/db", true],
    ["postgres://u@[::2]/db", true],
    ["postgres://u@ep-a.eu-1.aws.neon.tech/db", true],
  ])("%s is remote: %s", (text, remote) => {
    expect(isRemote(parsePostgresUrl(text))).toBe(remote);
  });

  it.each([
    ["", /not a valid URL/],
    ["hunter2", /not a valid URL/],
    ["postgres://u:hunter2#x@host/db", /not a valid URL/],
    ["postgres://u:hunter2%zz@host/db", /not a valid URL/],
    ["postgres://u:hunter2@%zz/db", /not a valid URL/],
    ["postgres://u:2026/hunter2@host/db", /not a valid URL/],
    ["postgres://u:2026#hunter2@host/db", /not a valid URL/],
    ["mysql://u:hunter2@host/db", /must begin with postgres:\/\/ or postgresql:\/\/, not mysql:\/\//],
    ["u:hunter2@host/db", /must begin with/],
  ])("refuses %j without repeating it", (text, message) => {
    expect(() => parsePostgresUrl(text)).toThrow(message);
    expect(() => parsePostgresUrl(text)).not.toThrow("hunter2");
  });

  it.each([
    [Object.assign(new Error(""), { code: "ECONNREFUSED" }), "nothing listens there"],
    [Object.assign(new Error("getaddrinfo ENOTFOUND host"), { code: "ENOTFOUND" }), "there is no such host"],
    [Object.assign(new Error('database "db" does not exist'), { code: "3D000" }), 'database "db" does not exist'],
    [new Error("timeout expired"), "timeout expired"],
    [
      new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
      "the server asks for a password, and the URL has none",
    ],
    [
      new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a non-empty string"),
      "the server asks for a password, and the URL has none",
    ],
    ["thrown", "unknown cause"],
  ])("explains a failed connection", (error, cause) => {
    expect(connectionProblem("postgres://u:hunter2@host/db", error).message).toBe(
      `cannot connect to the Postgres of DATABASE_URL (host:5432/db): ${cause}.`,
    );
  });

  it.each([
    [
      "postgres://h/d?sslmode=require&channel_binding=require",
      "postgres://h/d?sslmode=verify-full&channel_binding=require",
    ],
    ["postgres://h/d?a=1&sslmode=prefer", "postgres://h/d?a=1&sslmode=verify-full"],
    ["postgres://h/d?sslmode=disable", "postgres://h/d?sslmode=disable"],
    ["postgres://h/d", "postgres://h/d"],
    ["postgres://h/d?uselibpqcompat=true&sslmode=require", "postgres://h/d?uselibpqcompat=true&sslmode=require"],
    ["postgres://u:p%2Fs d@h/d?options=-c a=b", "postgres://u:p%2Fs%20d@h/d?options=-c%20a=b"],
  ])("gives pg %s with its TLS mode said outright, and no blank", (text, strict) => {
    expect(forPg(text)).toBe(strict);
  });
});
