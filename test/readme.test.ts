import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Envelope } from "../functions/answer/envelope.ts";
import { startHarness, type Harness } from "./support/harness.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");

let h: Harness;
let readme: string;
let bin: string;

/** For machines without curl: what the README's commands ask of it. */
const CURL = `#!${process.execPath}
const options = { "-X": "method", "-H": "header", "-d": "body" };
const request = { headers: {} };
let url;
for (let words = process.argv.slice(2); words.length > 0; ) {
  const word = words.shift();
  const option = options[word];
  if (option === "header") {
    const [name, ...value] = words.shift().split(":");
    request.headers[name] = value.join(":").trim();
  } else if (option) request[option] = words.shift();
  else if (!word.startsWith("-")) url = word;
}
fetch(url, request).then((response) => response.text()).then((text) => process.stdout.write(text));
`;

const hasCurl = () =>
  run("curl", ["--version"]).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  h = await startHarness();
  readme = await readFile(join(root, "README.md"), "utf8");
  bin = await mkdtemp(join(tmpdir(), "lanyap-readme-"));
  if (await hasCurl()) return;
  await writeFile(join(bin, "curl.cjs"), CURL);
  await writeFile(join(bin, "curl"), `#!/bin/sh\nexec "${process.execPath}" "${bin}/curl.cjs" "$@"\n`);
  await chmod(join(bin, "curl"), 0o755);
});
afterAll(async () => {
  await h.close();
  await rm(bin, { recursive: true, force: true });
});

/** The first shell block behind a text of the README, against this Worker instead of a started one. */
const blockAfter = (mark: string): string => {
  const [, block] = /```sh\n(.*?)```/s.exec(readme.slice(readme.indexOf(mark))) ?? [];
  if (block === undefined) throw new Error(`no commands behind ${mark}`);
  return block.replaceAll("http://127.0.0.1:8787", h.url);
};

/** What commands print when they are pasted into a shell. */
const paste = async (commands: string): Promise<string> => {
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", commands], { env: { ...process.env, PATH: path } });
  return stdout;
};

it("asks for offers with the command of the start", async () => {
  const answer = JSON.parse(await paste(blockAfter("as a thank-you page would"))) as Envelope;
  expect(answer.offers).toHaveLength(4);
  expect(answer.siteStatus).toBe("active");
});

it("walks from a new publisher to its offers", async () => {
  const answer = JSON.parse(await paste(blockAfter("<!-- walk-through -->"))) as Envelope;
  expect(answer.offers).toHaveLength(4);
  expect(answer).toMatchObject({
    isTestMode: false,
    siteStatus: "active",
    templateData: { brandName: "Pine and Pebble" },
  });
  const [made] = await h.rows<{ name: string; status: string }>(
    "select p.name, s.status from publishers p join sites s on s.publisher_id = p.id where p.name like 'Pine and Pebble%'",
  );
  expect(made).toMatchObject({ status: "active" });
});
