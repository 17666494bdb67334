import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Names the setting with the folder where tests note which answers they have seen. */
const FOLDER = "LANYAP_SEEN";

/** Sets the folder where the tests' processes note what they see, unless it is set already. */
export const noteSeenIn = (folder: string): void => {
  process.env[FOLDER] ??= folder;
  mkdirSync(process.env[FOLDER], { recursive: true });
};

const noted = new Set<string>();

/** Notes that a test has seen an answer. */
export const noteSeen = (name: string): void => {
  const folder = process.env[FOLDER];
  if (name === "" || folder === undefined || noted.has(name)) return;
  noted.add(name);
  appendFileSync(join(folder, `${process.pid}.txt`), `${name}\n`);
};

const EXPECTED = "expected.json";

/** Notes which answers are to be seen, once for all processes. */
export const noteExpected = (names: () => string[]): void => {
  const folder = process.env[FOLDER];
  if (folder === undefined || existsSync(join(folder, EXPECTED))) return;
  writeFileSync(join(folder, EXPECTED), JSON.stringify(names()));
};

/** Lists the answers that are to be seen; none if no test asked the Worker. */
export const expectedByAll = (): string[] => {
  const file = join(process.env[FOLDER] ?? "", EXPECTED);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as string[]) : [];
};

/** Lists what all processes have seen. */
export const seenByAll = (): Set<string> => {
  const folder = process.env[FOLDER] ?? "";
  if (!existsSync(folder)) return new Set();
  const notes = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return new Set(notes.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n")));
};
