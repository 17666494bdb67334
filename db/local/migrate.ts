import { join } from "node:path";
import { connect } from "../core/client.ts";
import { seedCategories } from "../demo/seed.ts";
import { chooseDatabase } from "./database.ts";
import { explain, Problem } from "./problem.ts";
import { readDatabaseUrl } from "./environment.ts";

const folder = join(import.meta.dirname, "../..");

const migrate = async (): Promise<void> => {
  const databaseUrl = readDatabaseUrl(folder, process.env);
  if (databaseUrl === undefined) {
    throw new Problem("DATABASE_URL is not set. Set it to migrate that database; npm start migrates the embedded one.");
  }
  const target = chooseDatabase(databaseUrl, join(folder, ".data"), join(folder, "db", "migrations"));
  const database = await target.open();
  try {
    await seedCategories(connect(database.url));
  } finally {
    await database.close();
  }
  console.log(`${target.description}: migrations applied, categories up to date.`);
};

try {
  await migrate();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
