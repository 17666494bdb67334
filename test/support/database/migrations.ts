import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes a folder of migrations as drizzle-kit does, one migration for each text, and returns its path. */
export const makeMigrations = (...statements: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "lanyap-migrations-"));
  const entries = statements.map((sql, idx) => {
    const tag = `${String(idx).padStart(4, "0")}_step`;
    writeFileSync(join(folder, `${tag}.sql`), sql);
    return { idx, version: "7", when: 1_700_000_000_000 + idx, tag, breakpoints: true };
  });
  mkdirSync(join(folder, "meta"));
  writeFileSync(
    join(folder, "meta", "_journal.json"),
    JSON.stringify({ version: "7", dialect: "postgresql", entries }),
  );
  return folder;
};
