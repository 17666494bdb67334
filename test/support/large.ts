import type { Reserve } from "../../functions/core/calls/lease.ts";
import { api } from "./api.ts";
import { makeInventory } from "./factories.ts";
import type { Harness } from "./harness.ts";

/** Holds a publisher with a site, an idle placement on it, and many more of both. */
export type Large = Awaited<ReturnType<typeof makeInventory>>;

/**
 * Makes a publisher with many idle placements, on the given number of further sites, or on its first site if there are
 * none. Ids of these rows begin with the publisher's.
 */
export const makeLarge = async (
  h: Harness,
  { sites = 0, placements = 0 }: { sites?: number; placements?: number },
): Promise<Large> => {
  const large = await makeInventory(h.db, { placement: { status: "inactive" } });
  const { publisher, site } = large;
  await h.rows(
    "insert into sites (id, publisher_id, name) select $1 || '_site_' || n, $1, n from generate_series(1, $2::int) n",
    [publisher.id, sites],
  );
  await h.rows(
    `insert into placements (id, site_id, name, status)
    select $1 || '_plc_' || n, case when $2::int = 0 then $3 else $1 || '_site_' || 1 + n % $2 end, n, 'inactive'
    from generate_series(1, $4::int) n`,
    [publisher.id, sites, site.id, placements],
  );
  return large;
};

/** Deletes a publisher with its own key. */
export const deletePublisher = (h: Harness, { publisher }: Large) =>
  api(h, "DELETE", `/api/v1/publishers/${publisher.id}`, { token: publisher.privateKey });

/** Counts all rows below a publisher, which may itself be gone, without the record of its deletion. */
export const rowsBelow = async (h: Harness, { publisher: { id }, placement }: Large): Promise<number> => {
  const tables = ["sites", "public_keys", "api_tokens", "webhook_events", "webhook_logs", "tracking_rejects"];
  const counts = await Promise.all([
    ...tables.map((table) => h.count(`${table} where publisher_id = $1`, [id])),
    h.count("audit_log where publisher_id = $1 and not (resource_id = $1 and action = 'delete')", [id]),
    h.count("placements where id like $1 or id = $2", [`${id}\\_plc\\_%`, placement.id]),
  ]);
  return counts.reduce((sum, n) => sum + n, 0);
};

/** Reserves the round trips of a number of removal steps, and one more to find whose turn is first. */
export const steps = (number: number): Reserve => {
  let left = number + 1;
  return () => left-- > 0;
};
