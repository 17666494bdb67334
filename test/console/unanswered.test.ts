import { beforeEach, describe, expect, it } from "vitest";
import { asProblem } from "../../functions/console/api/problem.ts";
import { session } from "../../functions/console/api/session.ts";
import { repeatable } from "../../functions/console/api/unanswered.ts";

const CREATE = { method: "POST", body: "{}" };
const ADDRESS = "https://lanyap.example/api/sites";

/** Answers each request by the next of these statuses, 0 for none, and lists the keys under which they came. */
const makeService = (...statuses: number[]) => {
  const came: (string | null)[] = [];
  const send = repeatable(
    (_, { headers }) => {
      came.push(new Headers(headers).get("idempotency-key"));
      const status = statuses.shift() ?? 201;
      return status === 0
        ? Promise.reject(new TypeError("Failed to fetch"))
        : Promise.resolve(new Response("", { status }));
    },
    () => Promise.resolve(undefined),
  );
  let made = 0;
  // As the client does: each call makes a key of its own.
  const create = (body = CREATE.body, address = ADDRESS) => {
    made += 1;
    const headers = { "Idempotency-Key": `key-${made}` };
    return send(address, { ...CREATE, body, headers }).catch((error: unknown) => asProblem(error).code);
  };
  return { came, create };
};

// Forgets what was not answered.
beforeEach(() => session.set(null));

describe("what creates", () => {
  it.each([
    ["nothing", 0],
    ["an error", 500],
    ["that the service is busy", 503],
    ["that who asks is to sign in", 401],
    ["that who asks is to wait", 429],
  ])("is sent again under its key after %s, and under another once it is answered", async (_, status) => {
    const { came, create } = makeService(0, status, 201, 201);
    for (let times = 0; times < 4; times += 1) await create();
    expect(came).toEqual(["key-1", "key-1", "key-1", "key-4"]);
  });

  it("has another key after a refusal, and for another who signs in", async () => {
    const { came, create } = makeService(400, 0, 201);
    await create();
    await create();
    session.set(null);
    await create();
    expect(came).toEqual(["key-1", "key-2", "key-3"]);
  });
});

const CHANGED = '{"name":"Tea"}';

describe("another creation", () => {
  it.each([0, 500, 503])("is sent after a warning where the one before has no answer but %d", async (status) => {
    const { came, create } = makeService(status, 201, 201);
    await create();
    expect(await create(CHANGED)).toBe("UNANSWERED");
    expect(came).toEqual(["key-1"]);
    await create(CHANGED);
    await create();
    expect(came).toEqual(["key-1", "key-3", "key-1"]);
  });

  it("is warned of again when it has no answer either", async () => {
    const { came, create } = makeService(0, 0);
    await create();
    await create(CHANGED);
    await create(CHANGED);
    expect(await create('{"name":"Coffee"}')).toBe("UNANSWERED");
    expect(came).toEqual(["key-1", "key-3"]);
  });

  it.each([201, 400, 401, 429])("is sent at once after an answer of %d", async (status) => {
    const { came, create } = makeService(status);
    await create();
    await create(CHANGED);
    expect(came).toEqual(["key-1", "key-2"]);
  });

  it("is sent at once after a dry run without an answer, which makes nothing", async () => {
    const { came, create } = makeService(0);
    await create(CREATE.body, `${ADDRESS}?dryRun=true`);
    await create(CHANGED);
    expect(came).toEqual(["key-1", "key-2"]);
  });

  it("is sent at once to another address", async () => {
    const { came, create } = makeService(0);
    await create();
    await create(CREATE.body, `${ADDRESS}/site_1/creatives`);
    expect(came).toEqual(["key-1", "key-2"]);
  });
});

describe("what changes", () => {
  const TAG = { "If-Match": '"one"' };
  const SITE = `${ADDRESS}/site_1`;

  /** Loses the first answer, and says that it was this page that made another version of what is changed next. */
  const changeTwice = async (first: object, second: object) => {
    const sent: [string, string | null][] = [];
    let lost = "";
    const send = repeatable(
      (_, { headers, body }) => {
        const given = new Headers(headers);
        sent.push([body as string, given.get("if-match")]);
        if (lost === "") {
          lost = given.get("x-request-id") ?? "";
          return Promise.reject(new TypeError("Failed to fetch"));
        }
        const isOld = given.get("if-match") === '"one"';
        return Promise.resolve(new Response("{}", { status: isOld ? 412 : 200, headers: { etag: '"two"' } }));
      },
      () => Promise.resolve(lost),
    );
    const change = (body: object) => send(SITE, { method: "PUT", body: JSON.stringify(body), headers: TAG });
    await change(first).catch(() => null);
    return { status: (await change(second)).status, id: lost, sent: sent.slice(1) };
  };

  it.each([
    [{ bid: 5 }, { bid: 5 }],
    [{ bid: 5 }, { bid: 4, title: "New" }],
    [{ targeting: { countries: ["US"] } }, { targeting: { countries: [], languages: ["en"] } }],
    [{ caps: null }, { caps: 3 }],
  ])("goes on from %j where %j says all of it again", async (first, second) => {
    const { status, sent, id } = await changeTwice(first, second);
    expect([status, sent]).toEqual([
      200,
      [
        [JSON.stringify(second), '"one"'],
        [JSON.stringify(second), '"two"'],
      ],
    ]);
    expect(id).toMatch(/^req_\w{28}$/);
  });

  it.each([
    [{ bid: 5 }, { title: "New" }],
    [{ bid: 5, title: "New" }, { bid: 5 }],
    [{ targeting: { countries: ["US"] } }, { targeting: { languages: ["en"] } }],
    [{ targeting: { countries: ["US"] } }, { title: "New" }],
  ])("is asked about behind %j where %j leaves some of it as it was made", async (first, second) => {
    const { status, sent } = await changeTwice(first, second);
    expect([status, sent]).toEqual([412, [[JSON.stringify(second), '"one"']]]);
  });
});
