import { beforeEach, describe, expect, it } from "vitest";
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
  const create = () => {
    made += 1;
    return send(ADDRESS, { ...CREATE, headers: { "Idempotency-Key": `key-${made}` } }).catch(() => null);
  };
  return { came, create };
};

describe("what creates", () => {
  beforeEach(() => session.set(null));

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
