import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, it } from "vitest";

it("a program that had a server of its own ends with the code that it says", async () => {
  const module = resolve(import.meta.dirname, "../../support/database/embedded.ts");
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    await (await startEmbeddedPostgres()).stop();
    process.exitCode = 7;`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  expect(await once(child, "exit")).toEqual([7, null]);
});
