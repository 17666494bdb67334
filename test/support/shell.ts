import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";

const run = promisify(execFile);

/** Stands in for curl on machines without it, as far as the documents' commands need it. */
const CURL = `#!${process.execPath}
const options = { "-X": "method", "-H": "header", "-d": "body", "-A": "agent", "-o": "file", "-w": "shown" };
const request = { headers: {}, redirect: "manual" };
let url;
for (let words = process.argv.slice(2); words.length > 0; ) {
  const word = words.shift();
  const option = options[word];
  if (option === "header") {
    const [name, ...value] = words.shift().split(":");
    request.headers[name] = value.join(":").trim();
  } else if (option === "agent") request.headers["user-agent"] = words.shift();
  else if (option) request[option] = words.shift();
  else if (!word.startsWith("-")) url = word;
}
// Shows, instead of the body, what the command asks to see of an answer: where it leads, or its status.
const shownOf = (response) =>
  request.shown
    .replace("%{redirect_url}", response.headers.get("location"))
    .replace("%{http_code}", response.status)
    .replace("\\\\n", "\\n");
fetch(url, request)
  .then(async (response) => (request.shown ? shownOf(response) : response.text()))
  .then((text) => process.stdout.write(text));
`;

const hasCurl = () =>
  run("curl", ["--version"]).then(
    () => true,
    () => false,
  );

/**
 * Lists the shells that readers have, with the options that make each fail when a command does. Not every sh knows
 * `pipefail`.
 */
const SHELLS = { sh: ["-eu"], bash: ["-euo", "pipefail"] };

export type ShellName = keyof typeof SHELLS;

/** Describes a shell such as readers of the documents have. */
export type Shell = {
  /** Returns what pasted commands print. It fails when one of them does. */
  paste: (commands: string, name?: ShellName) => Promise<string>;
  close: () => Promise<void>;
};

/** Makes a shell that has Node and curl, wherever the tests run. */
export const openShell = async (): Promise<Shell> => {
  const bin = await mkdtemp(join(tmpdir(), "lanyap-shell-"));
  if (!(await hasCurl())) {
    await writeFile(join(bin, "curl.cjs"), CURL);
    await writeFile(join(bin, "curl"), `#!/bin/sh\nexec "${process.execPath}" "${bin}/curl.cjs" "$@"\n`);
    await chmod(join(bin, "curl"), 0o755);
  }
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  return {
    paste: async (commands, name = "sh") => {
      const { stdout } = await run(name, [...SHELLS[name], "-c", commands], {
        env: { ...process.env, PATH: path },
      });
      return stdout;
    },
    close: () => rm(bin, { recursive: true, force: true }),
  };
};

/** Returns the examples of a page of the service, as a reader sees them. */
const examplesOf = (page: string): string[] =>
  [...page.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)].map(([, code = ""]) =>
    code.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );

/** Follows a link from one page of the service to another, and returns that page. */
const follow = async (address: string, from: string, to: string): Promise<string> => {
  const page = await (await fetch(address + from, { headers: { accept: "text/html" } })).text();
  expect(page).toContain(`href="${to}"`);
  return (await fetch(address + to)).text();
};

/**
 * Walks from nothing but the address of a started service to a conversion, by what its pages say; returns what the walk
 * prints.
 */
export const walk = async (address: string): Promise<string> => {
  await follow(address, "/", "/docs");
  const guide = await follow(address, "/docs", "/docs/start");
  const commands = examplesOf(guide).join("\n").replaceAll("http://127.0.0.1:8787", address);
  const shell = await openShell();
  const printed = await shell.paste(commands);
  await shell.close();
  return printed;
};
