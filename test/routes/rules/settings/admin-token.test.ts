import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

const TOKEN = "correct horse battery staple, and one more";

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ secrets: { ADMIN_TOKEN: TOKEN } });
});
afterAll(() => h.close());

const asked = async (token: string) => (await api(h, "GET", "/api/v1/operations", { token })).status;

it("the administrator's token may have blanks within", async () => {
  expect(await asked(TOKEN)).toBe(200);
  expect(await asked(`  ${TOKEN}`)).toBe(200);
  for (const other of ["correct", TOKEN.replace(" ", "  "), `${TOKEN}x`, "horse battery"]) {
    expect(await asked(other)).toBe(401);
  }
});
