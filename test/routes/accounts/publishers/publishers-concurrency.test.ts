import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, flat, missing, said, taken, wrapped, type Answer } from "../../../support/api.ts";
import { makePlatform, makePublisher } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const AT_ONCE = 20;
const ROUNDS = [1, 2];

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const atOnce = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const publishers = (count: number) => atOnce(count, () => makePublisher(h.db));
type Publisher = Awaited<ReturnType<typeof makePublisher>>;

const update = (publisher: Publisher, body: object) =>
  api(h, "PUT", `/api/v1/publishers/${publisher.id}`, { token: publisher.privateKey, body });

/** Expects one success of this status, and the same refusal of all others. */
const expectOneWinner = (answers: Answer[], status: number, refusal: readonly unknown[]) => {
  const won = answers.filter((answer) => answer.status === status);
  expect(won).toHaveLength(1);
  for (const answer of answers) if (answer.status !== status) expect(said(answer)).toEqual(refusal);
};

const counted = async (query: string, values: unknown[]) =>
  Number((await h.rows<{ n: string }>(`select count(*) as n from ${query}`, values))[0]?.n);

describe("twenty at once", () => {
  it.each(ROUNDS)("create one publisher of a name, with one key and one token: round %i", async (round) => {
    const platform = await makePlatform(h.db);
    const name = `Contended ${round}`;
    const keysBefore = await counted("public_keys", []);
    const tokensBefore = await counted("api_tokens", []);
    const body = { name, contactName: "Toni", contactEmail: "toni@test.example" };
    const answers = await atOnce(AT_ONCE, () => api(h, "POST", "/api/v1/publishers", { token: platform.token, body }));
    expectOneWinner(answers, 201, taken("Publisher", name));
    expect(await counted("publishers where name = $1", [name])).toBe(1);
    expect(await counted("public_keys", [])).toBe(keysBefore + 1);
    expect(await counted("api_tokens", [])).toBe(tokensBefore + 1);
  });

  it.each(ROUNDS)("rename to one name, which one of them gets: round %i", async (round) => {
    const contenders = await publishers(AT_ONCE);
    const name = `Coveted ${round}`;
    expectOneWinner(await atOnce(AT_ONCE, (i) => update(contenders[i]!, { name })), 200, taken("Publisher", name));
    expect(await counted("publishers where name = $1", [name])).toBe(1);
  });

  it.each([2, 2, AT_ONCE])("%i pass their names around, and keep them all", async (count) => {
    const ring = await publishers(count);
    const answers = await atOnce(count, (i) => update(ring[i]!, { name: ring[(i + 1) % count]!.name }));
    expect(answers.map(said)).toEqual(ring.map((_, i) => taken("Publisher", ring[(i + 1) % count]!.name)));
    for (const { id, name } of ring)
      expect(await counted("publishers where id = $1 and name = $2", [id, name])).toBe(1);
  });

  it.each([2, 2, AT_ONCE])("take one e-mail, in any case: %i of them, one gets it", async (count) => {
    const contenders = await publishers(count);
    const address = `${newId("event")}@test.example`;
    const answers = await atOnce(count, (i) =>
      update(contenders[i]!, { contactEmail: i % 2 === 0 ? address : address.toUpperCase() }),
    );
    expectOneWinner(answers, 200, [409, wrapped("CONFLICT")]);
    expect(await counted("publishers where lower(contact_email) = $1", [address])).toBe(1);
  });

  it.each(ROUNDS)("delete a publisher, which is gone once: round %i", async () => {
    const publisher = await makePublisher(h.db);
    const path = `/api/v1/publishers/${publisher.id}`;
    const answers = await atOnce(AT_ONCE, () => api(h, "DELETE", path, { token: publisher.privateKey }));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200 && status !== 401)) {
      expect(said(answer)).toEqual(missing("Publisher", publisher.id));
    }
    expect(await counted("publishers where id = $1", [publisher.id])).toBe(0);
  });

  it.each(ROUNDS)("change the e-mail of a publisher while it is deleted: round %i", async () => {
    const publisher = await makePublisher(h.db);
    const path = `/api/v1/publishers/${publisher.id}`;
    const [deleted, ...answers] = await atOnce(AT_ONCE, (i) =>
      i === 0
        ? api(h, "DELETE", path, { token: publisher.privateKey })
        : update(publisher, { contactEmail: `${newId("event")}@test.example` }),
    );
    expect(deleted?.status).toBe(200);
    const refusals = [[401, wrapped("UNAUTHORIZED")], missing("Publisher", publisher.id)];
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusals).toContainEqual(said(answer));
    }
  });
});

describe("platforms, twenty at once", () => {
  const admin = { token: SECRETS.ADMIN_TOKEN };

  it.each(ROUNDS)("create one of a name: round %i", async (round) => {
    const name = `Contended platform ${round}`;
    const answers = await atOnce(AT_ONCE, () => api(h, "POST", "/api/v1/platforms", { ...admin, body: { name } }));
    expectOneWinner(answers, 201, taken("Platform", name));
    const tokens = "platform_tokens t join platforms p on p.id = t.platform_id where p.name = $1";
    expect(await counted(tokens, [name])).toBe(1);
  });

  it.each([2, AT_ONCE])("%i pass their names around, and keep them all", async (count) => {
    const ring = await atOnce(count, () => makePlatform(h.db));
    const answers = await atOnce(count, (i) =>
      api(h, "PUT", `/api/v1/platforms/${ring[i]!.id}`, { ...admin, body: { name: ring[(i + 1) % count]!.name } }),
    );
    expect(answers.map(said)).toEqual(ring.map((_, i) => taken("Platform", ring[(i + 1) % count]!.name)));
  });

  it.each(ROUNDS)("rotate a token, of which one stays valid: round %i", async () => {
    const platform = await makePlatform(h.db);
    const rotate = () => api(h, "POST", `/api/v1/platforms/${platform.id}/token`, { ...admin, body: {} });
    const answers = await atOnce(AT_ONCE, rotate);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const tokens = [platform.token, ...answers.map((answer) => dataOf<{ token: string }>(answer).token)];
    expect(new Set(tokens).size).toBe(AT_ONCE + 1);
    const uses = await atOnce(tokens.length, (i) => api(h, "GET", "/api/v1/publishers", { token: tokens[i] }));
    expectOneWinner(uses, 200, [401, flat("INVALID_TOKEN")]);
  });
});
