import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readVars } from "../db/local/environment.ts";
import { settingProblems, settingsOf, SettingsError } from "../functions/env.ts";
import { SETTINGS } from "./support/secrets.ts";

type Name = keyof typeof SETTINGS;
const NAMES = Object.keys(SETTINGS) as Name[];

/** Holds the values of settings that nobody sets. */
const DEFAULTS = {
  KEEP_IMPRESSIONS_DAYS: 7,
  KEEP_CLICKS_DAYS: 60,
  KEEP_CONVERSIONS_DAYS: 400,
  KEEP_REJECTS_DAYS: 30,
  KEEP_FLUSHES_DAYS: 2,
  KEEP_AUDIT_DAYS: 400,
  HALF_LIFE_DAYS: 60,
};

const envOf = (values: Record<string, string | undefined>): Env => Object.assign(Object.create(null), SETTINGS, values);

/** Is as long as a secret has to be. */
const LONG = "s".repeat(32);
const EXAMPLE = readVars(resolve(import.meta.dirname, "../.dev.vars.example"));
const FROM_EXAMPLE = "has the value of the example";
const SHORT = "has a secret of less than 32 characters";

describe("settings", () => {
  it("are parsed once for an environment", () => {
    const env = envOf({
      TRACKING_KEYS: `a:${LONG}one, b:${LONG}two`,
      PUBLIC_URL: "https://offers.example/base//",
      DOCUMENT_FRESH_MS: "5000",
    });
    expect(settingsOf(env)).toEqual({
      ...SETTINGS,
      ...DEFAULTS,
      SESSION_KEY_BEFORE: "",
      TRACKING_KEYS: [
        { id: "a", secret: `${LONG}one` },
        { id: "b", secret: `${LONG}two` },
      ],
      PUBLIC_URL: "https://offers.example/base",
      DOCUMENT_FRESH_MS: 5000,
      WRITES_PER_MINUTE: 600,
      unsafe: [],
    });
    expect(settingsOf(env)).toBe(settingsOf(env));
    expect(settingsOf(envOf({}))).not.toBe(settingsOf(env));
  });

  it.each<[keyof typeof DEFAULTS, string, string]>([
    ["KEEP_IMPRESSIONS_DAYS", "1", "must be at least 2 days"],
    ["KEEP_CLICKS_DAYS", "36", "must be at least 37 days"],
    ["KEEP_CONVERSIONS_DAYS", "36", "must be at least 37 days"],
    ["KEEP_REJECTS_DAYS", "0", "must be at least 1 days"],
    ["KEEP_FLUSHES_DAYS", "", "must be a whole number of days"],
    ["KEEP_AUDIT_DAYS", "forever", "must be a whole number of days"],
    ["HALF_LIFE_DAYS", "6", "must be at least 7 days"],
  ])("keep %s for no %s", (name, value, problem) => {
    expect(settingProblems(envOf({ [name]: value }))).toEqual([{ name, problem }]);
    expect(settingsOf(envOf({ [name]: "90" }))[name]).toBe(90);
  });

  it.each<[Name, string]>([
    ["DATABASE_URL", "postgresql://user:p%40ss@ep-1.eu.aws.neon.tech/db?sslmode=require"],
    ["ADMIN_TOKEN", "ä-token-of-any-form"],
    ["SESSION_KEY", "a key with spaces"],
    ["PUBLIC_URL", "http://127.0.0.1:8787"],
    ["PARTNER_ZONE_URL", "https://partner.example/zones?key=1"],
    ["DOCUMENT_FRESH_MS", "0"],
    ["WRITES_PER_MINUTE", "1"],
  ])("take %s=%s", (name, value) => {
    expect(settingProblems(envOf({ [name]: value }))).toEqual([]);
  });

  it.each<[Name, string | undefined, string]>([
    ["DATABASE_URL", undefined, "is missing"],
    ["DATABASE_URL", "", "is empty"],
    ["DATABASE_URL", "mysql://user:hunter2@host/database", "must have the form postgres://user:password@host/database"],
    ["DATABASE_URL", "postgres://user:hunter2@host", "must have the form postgres://user:password@host/database"],
    [
      "DATABASE_URL",
      "postgres://user:hunter2@:x/database",
      "must have the form postgres://user:password@host/database",
    ],
    ["ADMIN_TOKEN", undefined, "is missing"],
    ["ADMIN_TOKEN", " ", "is empty"],
    [
      "TOKEN_ENCRYPTION_KEY",
      "hunter2",
      "is malformed: write it as id:secret,id:secret; an id has 1 to 16 letters, digits, - or _",
    ],
    [
      "TOKEN_ENCRYPTION_KEY",
      "a:hunter2,a:b",
      "is malformed: two of its keys have the same id; give each key an id of its own",
    ],
    ["TRACKING_KEYS", "", "is empty"],
    [
      "TRACKING_KEYS",
      "a:,b:hunter2",
      "is malformed: write it as id:secret,id:secret; an id has 1 to 16 letters, digits, - or _",
    ],
    ["SESSION_KEY", "", "is empty"],
    ["PUBLIC_URL", "hunter2.example", "must be an http or https URL, or empty"],
    ["PUBLIC_URL", "ftp://hunter2.example", "must be an http or https URL, or empty"],
    ["PUBLIC_URL", "https://offers.example/?hunter2", "must not contain ? or #"],
    ["PARTNER_ZONE_URL", undefined, "is missing"],
    ["PARTNER_ZONE_URL", "hunter2", "must be an http or https URL, or empty"],
    ["DOCUMENT_FRESH_MS", undefined, "is missing"],
    ["DOCUMENT_FRESH_MS", "", "must be a whole number of milliseconds, such as 5000"],
    ["DOCUMENT_FRESH_MS", "hunter2", "must be a whole number of milliseconds, such as 5000"],
    ["DOCUMENT_FRESH_MS", "-1", "must be a whole number of milliseconds, such as 5000"],
    ["DOCUMENT_FRESH_MS", "1e3", "must be a whole number of milliseconds, such as 5000"],
    ["WRITES_PER_MINUTE", undefined, "is missing"],
    ["WRITES_PER_MINUTE", "0", "must be a whole number of calls, such as 600"],
    ["WRITES_PER_MINUTE", "6.5", "must be a whole number of calls, such as 600"],
  ])("refuse %s=%s by its name", (name, value, problem) => {
    const env = envOf({ [name]: value });
    expect(settingProblems(env)).toEqual([{ name, problem }]);
    expect(() => settingsOf(env)).toThrow(SettingsError);
    expect(() => settingsOf(env)).toThrow(`${name} ${problem}`);
    expect(() => settingsOf(env)).not.toThrow("hunter2");
  });

  it("name each that is wrong once, and repeat no value", () => {
    const wrong = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 });
    fc.assert(
      fc.property(wrong, (names) => {
        // A text that no setting accepts.
        const values = Object.fromEntries(
          names.map((name) => [name, /^(?:SESSION_KEY|ADMIN_TOKEN)$/.test(name) ? " " : "hun ter2"]),
        );
        const problems = settingProblems(envOf(values));
        expect(problems.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
        expect(JSON.stringify(problems)).not.toContain("ter2");
      }),
    );
  });
});

describe("a secret is unsafe", () => {
  const judged = (name: Name, value: string) => settingsOf(envOf({ [name]: value })).unsafe;

  it.each<[Name, string, string]>([
    ["ADMIN_TOKEN", "s".repeat(31), SHORT],
    ["SESSION_KEY", "s".repeat(31), SHORT],
    ["TOKEN_ENCRYPTION_KEY", `a:${LONG.slice(1)}`, SHORT],
    ["TRACKING_KEYS", `a:${LONG},b:x`, SHORT],
    ["TRACKING_KEYS", `a:${LONG},${EXAMPLE["TRACKING_KEYS"]}`, FROM_EXAMPLE],
  ])("as %s=%s", (name, value, problem) => {
    expect(judged(name, value)).toEqual([{ name, problem }]);
  });

  it.each<Name>(["ADMIN_TOKEN", "TOKEN_ENCRYPTION_KEY", "TRACKING_KEYS", "SESSION_KEY"])(
    "as the %s of .dev.vars.example",
    (name) => {
      expect(judged(name, EXAMPLE[name] ?? "")).toEqual([{ name, problem: FROM_EXAMPLE }]);
    },
  );

  it.each<[Name, string]>([
    ["ADMIN_TOKEN", LONG],
    ["SESSION_KEY", LONG],
    ["TOKEN_ENCRYPTION_KEY", `a:${LONG},b:${LONG}2`],
    ["TRACKING_KEYS", `a:${LONG}`],
  ])("but not as %s=%s", (name, value) => {
    expect(judged(name, value)).toEqual([]);
  });
});
