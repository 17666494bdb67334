import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf } from "../../support/api.ts";
import { makeInventory } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

const AT_ONCE = 20;
const ROUNDS = [1, 2];

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

type State = { status: string; adsEnabled: boolean };
type Event = { eventType: string; source: string; reason: string; before: State; after: State };

/** Twenty switches, of every kind and direction. */
const changes = Array.from({ length: AT_ONCE }, (_, i) => {
  const reason = `switch ${i}`;
  return i % 2 === 0
    ? { route: "status", body: { status: i % 4 === 0 ? "inactive" : "active", reason } }
    : { route: "ads", body: { adsEnabled: i % 4 !== 1, reason } };
});

const reasonsOf = (list: { reason: string }[]) => list.map(({ reason }) => reason).toSorted();

/** Expects a record of every switch, in the order in which they happened: each begins where the one before ended. */
const expectChain = (events: Event[], current: State) => {
  expect(reasonsOf(events)).toEqual(reasonsOf(changes.map(({ body }) => body)));
  const state = { status: "active", adsEnabled: true };
  for (const { reason, before, after } of events.toReversed()) {
    expect(before).toEqual(state);
    const { reason: _, ...switched } = changes.find(({ body }) => body.reason === reason)?.body ?? { reason };
    Object.assign(state, switched);
    expect(after).toEqual(state);
  }
  expect({ status: current.status, adsEnabled: current.adsEnabled }).toEqual(state);
};

describe("twenty switches at once", () => {
  it.each(ROUNDS)("of a publisher, by itself and the administrator, leave a gapless record: round %i", async () => {
    const { publisher } = await makeInventory(h.db);
    const path = `/api/v1/publishers/${publisher.id}`;
    const callers = [publisher.privateKey, SECRETS.ADMIN_TOKEN, SECRETS.ADMIN_TOKEN];
    const answers = await Promise.all(
      changes.map(({ route, body }, i) => api(h, "PATCH", `${path}/${route}`, { token: callers[i % 3], body })),
    );
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const events = dataOf<Event[]>(await api(h, "GET", `${path}/events`, { token: publisher.privateKey }));
    const query = `select status, ads_enabled as "adsEnabled" from publishers where id = $1`;
    const [current] = await h.rows<State>(query, [publisher.id]);
    expectChain(events, current!);
    const own = events.filter(({ source }) => source === `publisher:${publisher.id}`);
    expect(own).toHaveLength(changes.filter((_, i) => i % 3 === 0).length);
  });

  it.each(ROUNDS)("of a site leave a gapless record: round %i", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const token = publisher.privateKey;
    const path = `/api/site/${site.id}`;
    const answers = await Promise.all(
      changes.map(({ route, body }) => api(h, "PATCH", `${path}/${route}`, { token, body })),
    );
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const events = dataOf<Event[]>(await api(h, "GET", `${path}/events`, { token }));
    expectChain(events, dataOf<State>(await api(h, "GET", path, { token })));
  });

  it("of a site and its publisher go together with changes of its data", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const token = publisher.privateKey;
    const answers = await Promise.all(
      changes.flatMap(({ route, body }, i) => [
        api(h, "PATCH", `/api/site/${site.id}/${route}`, { token, body }),
        api(h, "PATCH", `/api/v1/publishers/${publisher.id}/${route}`, { token, body }),
        api(h, "PUT", `/api/site/${site.id}`, { token, body: { name: `Name ${i % 3}` } }),
        api(h, "PUT", `/api/v1/publishers/${publisher.id}`, { token, body: { name: `${publisher.id} ${i % 3}` } }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
