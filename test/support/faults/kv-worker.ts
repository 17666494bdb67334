import { WorkerEntrypoint } from "cloudflare:workers";

const values = new Map<string, string>();
const state = { reads: 0, writes: 0, get: "none", put: "none" };

const valueOf = (name: string): string | null => values.get(name) ?? null;

/** Acts unless there is a fault. A hanging call goes on when the fault ends, and a lost one never answers. */
const under = async <T>(fault: "get" | "put", act: () => T): Promise<T> => {
  if (state[fault] === "fail") throw new Error("KV is out of order");
  if (state[fault] === "lose") for (;;) await scheduler.wait(1_000);
  // No other request may wake this one, so it polls.
  while (state[fault] === "hang") await scheduler.wait(10);
  return act();
};

/** Stands in for a KV namespace: it fails or hangs on command, and counts what it is asked. */
export default class BreakableKv extends WorkerEntrypoint {
  /** Sets faults, and returns the state. */
  override async fetch(request: Request): Promise<Response> {
    if (request.method === "POST") Object.assign(state, await request.json());
    return Response.json(state);
  }

  get(key: string | string[]): Promise<Map<string, string | null> | string | null> {
    state.reads += 1;
    return under("get", () =>
      typeof key === "string" ? valueOf(key) : new Map(key.map((name) => [name, valueOf(name)])),
    );
  }

  put(key: string, value: string): Promise<void> {
    state.writes += 1;
    return under("put", () => {
      values.set(key, value);
    });
  }

  list(): { keys: { name: string }[] } {
    return { keys: [...values.keys()].map((name) => ({ name })) };
  }
}
