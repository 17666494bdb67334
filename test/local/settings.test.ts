import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Problem } from "../../db/local/problem.ts";
import { readDatabaseUrl } from "../../db/local/environment.ts";
import { readArguments, readSettings } from "../../functions/local/settings.ts";

const complete = {
  DATABASE_URL: "",
  ADMIN_TOKEN: "admin",
  TOKEN_ENCRYPTION_KEY: "dev:secret",
  TRACKING_KEYS: "1:one,2:two",
  SESSION_KEY: "session",
  PLATFORM_TOKEN: "",
};
const write = (vars: Record<string, string>) =>
  Object.entries(vars)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join("");

let folder: string;
const file = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lanyap-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("settings", () => {
  it("makes .dev.vars from its example, once", () => {
    writeFileSync(file(".dev.vars.example"), `# for development\n${write(complete)}`);
    expect(readSettings(folder, {})).toEqual({ port: 8787, databaseUrl: undefined, vars: complete });
    writeFileSync(file(".dev.vars"), write({ ...complete, ADMIN_TOKEN: "mine" }));
    expect(readSettings(folder, {}).vars["ADMIN_TOKEN"]).toBe("mine");
    expect(readFileSync(file(".dev.vars.example"), "utf8")).toContain("# for development");
  });

  it("reads quotes, comments and blank values", () => {
    const text = `ADMIN_TOKEN='a "b" #c' # note\nTOKEN_ENCRYPTION_KEY=dev:x\nTRACKING_KEYS="1:y=="\nSESSION_KEY= s \nEXTRA=`;
    writeFileSync(file(".dev.vars"), text);
    expect(readSettings(folder, {}).vars).toEqual({
      ADMIN_TOKEN: 'a "b" #c',
      TOKEN_ENCRYPTION_KEY: "dev:x",
      TRACKING_KEYS: "1:y==",
      SESSION_KEY: "s",
      EXTRA: "",
    });
  });

  it.each([
    ["the file's", { DATABASE_URL: "postgres://file/x", PORT: "9000" }, {}, "postgres://file/x", 9000],
    [
      "the environment's",
      { DATABASE_URL: "a", PORT: "1" },
      { DATABASE_URL: "postgres://env/x", PORT: "2" },
      "postgres://env/x",
      2,
    ],
    [
      "the embedded one by a blank",
      { DATABASE_URL: "postgres://file/x" },
      { DATABASE_URL: " ", PORT: "" },
      undefined,
      8787,
    ],
  ])("takes %s database and port", (_whose, vars, environment, databaseUrl, port) => {
    writeFileSync(file(".dev.vars"), write({ ...complete, ...vars }));
    expect(readSettings(folder, environment)).toMatchObject({ databaseUrl, port });
  });

  it("takes no secret from the environment", () => {
    writeFileSync(file(".dev.vars"), write(complete));
    expect(readSettings(folder, { ADMIN_TOKEN: "other" }).vars["ADMIN_TOKEN"]).toBe("admin");
  });

  it.each([
    [{ ADMIN_TOKEN: "" }, {}, /^ADMIN_TOKEN is missing in \.dev\.vars/],
    [{ TOKEN_ENCRYPTION_KEY: "  " }, {}, /^TOKEN_ENCRYPTION_KEY is missing in \.dev\.vars/],
    [{ TRACKING_KEYS: "" }, {}, /^TRACKING_KEYS is missing in \.dev\.vars/],
    [{ SESSION_KEY: "" }, {}, /^SESSION_KEY is missing in \.dev\.vars/],
    [{ TRACKING_KEYS: "no-colon" }, {}, /^TRACKING_KEYS in \.dev\.vars is malformed/],
    [{ TOKEN_ENCRYPTION_KEY: "a:b,a:c" }, {}, /^TOKEN_ENCRYPTION_KEY in \.dev\.vars is malformed/],
    [{ DOCUMENT_FRESH_MS: "abc" }, {}, /^DOCUMENT_FRESH_MS in \.dev\.vars must be a whole number of milliseconds/],
    [{ PUBLIC_URL: "offers.example" }, {}, /^PUBLIC_URL in \.dev\.vars must be an http or https URL, or empty\.$/],
    [{ PARTNER_ZONE_URL: "x" }, {}, /^PARTNER_ZONE_URL in \.dev\.vars must be an http or https URL, or empty\.$/],
    [{ PLATFORM_TOKEN: "lan_plat_x" }, {}, /^PLATFORM_TOKEN in \.dev\.vars must be/],
    [{}, { PORT: "0" }, /^PORT must be a number from 1 to 65535, not 0/],
    [{}, { PORT: "65536" }, /^PORT must be/],
    [{}, { PORT: "80a" }, /^PORT must be/],
    [{}, { PORT: "-1" }, /^PORT must be/],
  ])("refuses %j with %j in one line", (vars, environment, message) => {
    writeFileSync(file(".dev.vars"), write({ ...complete, ...vars }));
    const read = () => readSettings(folder, environment);
    expect(read).toThrow(Problem);
    expect(read).toThrow(message);
    expect(read).not.toThrow("\n");
  });

  it.each(['"', "'", "`"])("names the setting whose %s is left open, not one that it swallows", (quote) => {
    const { ADMIN_TOKEN, ...others } = complete;
    writeFileSync(file(".dev.vars"), `# ours\nADMIN_TOKEN=${quote}${ADMIN_TOKEN}\n# theirs\n${write(others)}`);
    expect(() => readSettings(folder, {})).toThrow(
      /^ADMIN_TOKEN in \.dev\.vars has no closing quote; put one at the end of its line\.$/,
    );
  });

  it("takes lines within quotes that are closed", () => {
    writeFileSync(file(".dev.vars"), `${write(complete)}NOTE="first\nsecond = 2"\n`);
    expect(readSettings(folder, {}).vars["NOTE"]).toBe("first\nsecond = 2");
  });

  it("says when there is nothing to read", () => {
    expect(() => readSettings(folder, {})).toThrow(/has neither \.dev\.vars nor \.dev\.vars\.example/);
    expect(readDatabaseUrl(folder, {})).toBeUndefined();
    expect(readDatabaseUrl(folder, { DATABASE_URL: "postgres://env/x" })).toBe("postgres://env/x");
  });
});

describe("what npm start is given", () => {
  it("is --demo, nothing, or refused by its name", () => {
    expect(readArguments([])).toEqual({ demo: false });
    expect(readArguments(["--demo"])).toEqual({ demo: true });
    expect(() => readArguments(["--demo", "--seed"])).toThrow(/^--seed is not known; npm start takes --demo only\.$/);
  });
});
