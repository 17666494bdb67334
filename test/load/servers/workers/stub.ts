/** Describes a queue message as it is delivered. */
type Message = { id: string; timestamp: Date; body: unknown; attempts: number };

/** Describes the queue event of a Worker, which the Worker's types leave out. */
type Consumer = { queue: (name: string, messages: Message[]) => Promise<{ outcome: string; ackAll: boolean }> };

/** Holds the bindings. `KV` is `keep`, or `forget` for a store that never has what it is asked for. */
type StubEnv = { KV: string; MAIN?: Consumer };

const values = new Map<string, string>();
let messages: Message[] = [];
let counts = { reads: 0, keys: 0, bytesRead: 0, writes: 0, bytesWritten: 0, messages: 0, written: [] as string[] };

/** Collects the distinct hits since the start, by what makes a hit count once. */
const hits = new Set<string>();

const noteHit = (body: unknown): void => {
  const { hit } = body as { hit?: { kind: string; decisionId: string; offerId: string } };
  if (hit) hits.add(`${hit.kind} ${hit.decisionId} ${hit.offerId}`);
};

/** Limits the names of written documents to as many as a part looks at. */
const MAX_NAMES = 100;

const read = (name: string): string | null => {
  const value = values.get(name) ?? null;
  counts.keys += 1;
  counts.bytesRead += value?.length ?? 0;
  return value;
};

/** Hands all messages to the Worker's own consumer in batches, and every `repeat`-th batch twice. */
const deliver = async (main: Consumer, size: number, concurrency: number, repeat: number): Promise<object> => {
  const waiting: Message[][] = [];
  for (let i = 0; i < messages.length; i += size) {
    const batch = messages.slice(i, i + size);
    waiting.push(batch);
    if (repeat > 0 && (i / size) % repeat === 0) waiting.push(batch);
  }
  const delivered = { messages: messages.length, batches: waiting.length, refused: 0 };
  messages = [];
  const consume = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const verdict = await main.queue("lanyap-events", batch);
      if (verdict.outcome !== "ok" || !verdict.ackAll) delivered.refused += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, consume));
  return delivered;
};

const control = async (url: URL, env: StubEnv): Promise<Response> => {
  if (url.pathname === "/counts") return Response.json({ ...counts, hits: hits.size });
  if (url.pathname === "/deliver" && env.MAIN) {
    const [size = 100, concurrency = 10, repeat = 0] = ["size", "concurrency", "repeat"].map((name) =>
      Number(url.searchParams.get(name)),
    );
    return Response.json(await deliver(env.MAIN, size, concurrency, repeat));
  }
  if (url.pathname === "/reset") {
    counts = { reads: 0, keys: 0, bytesRead: 0, writes: 0, bytesWritten: 0, messages: 0, written: [] };
    messages = [];
  }
  return new Response(null, { status: 204 });
};

const answer = async (request: Request, url: URL, env: StubEnv): Promise<Response> => {
  const name = decodeURIComponent(url.pathname.slice(1));
  if (request.method === "PUT") {
    const value = await request.text();
    counts.writes += 1;
    counts.bytesWritten += value.length;
    if (counts.written.length < MAX_NAMES) counts.written.push(name);
    if (env.KV === "keep") values.set(name, value);
    return new Response(null);
  }
  if (request.method === "POST" && name === "bulk/get") {
    counts.reads += 1;
    const { keys } = await request.json<{ keys: string[] }>();
    return Response.json(Object.fromEntries(keys.map((key) => [key, read(key)])));
  }
  if (request.method === "POST") {
    counts.messages += 1;
    const text = await request.text();
    // Without a consumer, messages are only counted.
    if (env.MAIN) {
      const body: unknown = JSON.parse(text);
      noteHit(body);
      messages.push({ id: crypto.randomUUID(), timestamp: new Date(), body, attempts: 1 });
    }
    return Response.json({ metadata: { metrics: {} } });
  }
  counts.reads += 1;
  const value = read(name);
  return value === null ? new Response(null, { status: 404 }) : new Response(value);
};

/**
 * Stands for KV and the queue beside the Worker under test. It keeps documents and messages in memory, counts what it
 * is asked, and delivers messages on command. The bench reaches it on loopback.
 */
export default {
  fetch(request: Request, env: StubEnv): Promise<Response> {
    const url = new URL(request.url);
    return url.hostname === "127.0.0.1" ? control(url, env) : answer(request, url, env);
  },
};
