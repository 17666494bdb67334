import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Names the setting that says where it is noted which answers tests have seen. */
const FOLDER = "LANYAP_SEEN";

/** Says where the processes of the tests note what they see, unless that is said already. */
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

/** Notes once for all processes which answers are to be seen. */
export const noteExpected = (names: () => string[]): void => {
  const folder = process.env[FOLDER];
  if (folder === undefined || existsSync(join(folder, EXPECTED))) return;
  writeFileSync(join(folder, EXPECTED), JSON.stringify(names()));
};

/** Lists the answers that are to be seen; none where no test asked the Worker. */
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
