import { afterEach, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { api, said } from "../support/api.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { addressOf, makeWorld, ROUTES, tokenOf, type Route } from "../support/routes/every-route.ts";

const open: Harness[] = [];
const start = async (options: Parameters<typeof startHarness>[0] = {}) => {
  const h = await startHarness(options);
  open.push(h);
  return h;
};
afterEach(async () => {
  for (const h of open.splice(0)) await h.close();
});

/** Keeps the database's answers back, until the returned function is called. */
const hold = ({ database }: Harness) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  database.hold = promise;
  return resolve;
};

const ROWS = ["publishers", "sites", "offers", "audit_log", "idempotency_keys"] as const;
const countsOf = (h: Harness) =>
  Promise.all(ROWS.map(async (table) => (await h.rows(`select count(*) from ${table}`))[0]));

it.each(["POST /api/v1/publishers", "POST /api/site", "POST /api/v1/offers", "POST /api/v1/offers/import"] as const)(
  "%s, whose process was killed between commit and answer, is answered and not done again by the next",
  async (name) => {
    const killed = await start();
    const world = await makeWorld(killed);
    const route = ROUTES.find((entry) => entry.route === name) as Route;
    const { method, path } = addressOf(route, world);
    const key = newId("event");
    const call = { token: tokenOf(route, world), body: route.body?.(world), headers: { "idempotency-key": key } };
    const isClaiming = () => killed.database.trips.some((statements) => statements.join().includes("claim_key"));
    const kept = () => killed.rows("select from idempotency_keys where key = $1", [key]);

    let release = hold(killed);
    const lost = api(killed, method, path, call).catch(() => null);
    await killed.until(kept, (rows) => {
      if (!isClaiming()) {
        // Look-ups before the change get their answers.
        const before = release;
        release = hold(killed);
        before();
      }
      return rows.length > 0;
    });
    const made = await countsOf(killed);
    open.splice(0);
    await killed.close();
    release();
    await lost;

    const next = await start({ postgresUrl: killed.postgresUrl });
    const first = await api(next, method, path, call);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([
      name.endsWith("import") ? 200 : 201,
      "true",
    ]);
    expect(said(await api(next, method, path, call))).toEqual(said(first));
    expect(await countsOf(next)).toEqual(made);
  },
);
