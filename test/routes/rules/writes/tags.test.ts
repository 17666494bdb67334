import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalid, said } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { fingerprint } from "../../../support/routes/every-route.ts";
import {
  FOREIGN,
  match,
  RESOURCES,
  situate,
  stale,
  tagPattern,
  type Resource,
  type Write,
} from "../../../support/routes/tagged.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** Lists what changes a resource and leaves it there: its writes, and a change of no member where that is one. */
const changesOf = ({ table, writes }: Resource): Write[] => [
  ...writes.filter(([method]) => method !== "DELETE"),
  ...writes.flatMap(([method, below]): Write[] =>
    method === "PUT" && table !== "api_tokens" ? [[method, below, {}]] : [],
  ),
];

describe.each(RESOURCES)("%s", (_, resource) => {
  it("has a tag that stays as long as it does", async () => {
    const { ask } = await situate(h, resource);
    const [first, second] = [await ask("GET"), await ask("GET")];
    expect(first.headers.get("etag")).toEqual(tagPattern);
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(first.json).not.toHaveProperty("data.tag");
  });

  it.each(resource.writes)("%s %s is refused for another version, and changes nothing", async (method, below, body) => {
    const { ask, tagNow } = await situate(h, resource);
    const tag = await tagNow();
    const before = await fingerprint(h);
    const refused = await ask(method, below, { body, headers: match(FOREIGN) });
    expect(said(refused)).toEqual(stale(tag));
    expect(refused.headers.get("etag")).toBe(tag);
    expect(await fingerprint(h)).toEqual(before);
  });

  it.each(resource.writes)("%s %s takes the version that was read, by a weak tag too", async (method, below, body) => {
    const { ask, tagNow } = await situate(h, resource);
    const tag = await tagNow();
    const written = await ask(method, below, { body, headers: match(`${FOREIGN}, W/${tag}`) });
    expect(written.status).toBe(200);
    if (method === "DELETE") return;
    expect(written.headers.get("etag")).toEqual(tagPattern);
    expect(written.headers.get("etag")).not.toBe(tag);
    expect(written.headers.get("etag")).toBe(await tagNow());
    expect(written.json).not.toHaveProperty("data.tag");
    expect(said(await ask(method, below, { body, headers: match(tag) }))).toEqual(stale(await tagNow()));
  });

  it.each(changesOf(resource))(
    "%s %s with %j keeps tag and row where it changes nothing, and is refused for another version",
    async (method, below, body) => {
      const { id, ask, tagNow } = await situate(h, resource);
      const row = () => h.rows(`select * from ${resource.table} where id = $1`, [id]);
      expect((await ask(method, below, { body })).status).toBe(200);
      const [before, tag] = [await row(), await tagNow()];
      const again = await ask(method, below, { body, headers: match(tag) });
      expect([again.status, again.headers.get("etag")]).toEqual([200, tag]);
      expect(await row()).toEqual(before);
      expect(said(await ask(method, below, { body, headers: match(FOREIGN) }))).toEqual(stale(tag));
      expect([await row(), await tagNow()]).toEqual([before, tag]);
    },
  );

  it.each(resource.writes)("%s %s refuses what is no tag", async (method, below, body) => {
    const { ask } = await situate(h, resource);
    const answer = await ask(method, below, { body, headers: match("abc") });
    expect(said(answer)).toEqual(invalid("If-Match: must be * or tags in quotes, as ETag has them"));
  });

  it("takes any version with *, and without the header", async () => {
    const { ask } = await situate(h, resource);
    const [[method, below, body] = ["PUT", ""] as const] = resource.writes;
    for (const headers of [match("*"), {}]) expect((await ask(method, below, { body, headers })).status).toBe(200);
  });

  it("is changed by one of two at a time who read the same version", async () => {
    const { ask, tagNow } = await situate(h, resource);
    const [[method, below, body] = ["PUT", ""] as const] = resource.writes;
    const headers = match(await tagNow());
    const both = await Promise.all([1, 2].map(() => ask(method, below, { body, headers })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });

  it.each([
    ["with a change", 0],
    ["with what would change nothing", 1],
  ])("is not changed by who waited for another change of it: %s", async (_what, before) => {
    const { id, ask, tagNow } = await situate(h, resource);
    const [[method, below, body] = ["PUT", ""] as const] = resource.writes;
    for (let i = 0; i < before; i++) expect((await ask(method, below, { body })).status).toBe(200);
    const headers = match(await tagNow());
    const other = new pg.Client({ connectionString: h.postgresUrl });
    await other.connect();
    try {
      await other.query("begin");
      await other.query(`update ${resource.table} set created_at = created_at - interval '1 day' where id = $1`, [id]);
      const waiting = ask(method, below, { body, headers });
      const [{ pid }] = (await other.query("select pg_backend_pid() as pid")).rows as [{ pid: number }];
      const blocked = () => h.count("pg_stat_activity where $1::int = any (pg_blocking_pids(pid))", [pid]);
      await h.until(blocked, (n) => n > 0);
      await other.query("commit");
      expect(said(await waiting)).toEqual(stale(await tagNow()));
    } finally {
      await other.end();
    }
  });
});
