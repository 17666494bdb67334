import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BESIDE_WORKER, DATABASE, WORKER } from "../oxlint.config.ts";

const foldersOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Names folders that lint restricts by rules of their own. */
const APART = ["description", "client"];

it.each([
  ["functions", [...WORKER, ...BESIDE_WORKER, ...APART]],
  ["db", [...DATABASE, "migrations"]],
])("lint knows of each folder in %s/ what it may import", (folder, known) => {
  expect(foldersOf(folder).toSorted()).toEqual(known.toSorted());
});

it.each(["functions", "db", "test"])("no file in %s/ has more than 250 lines", (folder) => {
  const files = globSync(`${folder}/**/*.{ts,tsx,css,html}`, { exclude: (path) => path.startsWith("db/migrations") });
  expect(files.length).toBeGreaterThan(50);
  const lengths = files.map((file) => ({ file, lines: readFileSync(file, "utf8").split("\n").length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 250)).toEqual([]);
});
